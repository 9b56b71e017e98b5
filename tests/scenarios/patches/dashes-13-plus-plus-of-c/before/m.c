int main(void)
{
	int x = 0;
++x;
	return x;
}
