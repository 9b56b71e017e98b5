if (a < b) {
  swap();
}
sort();
if (a < b) {
  swap();
}
