export function table(rows) {
  const lines = rows.map((row) => row.join("\t"));
  return lines.join("\n") + "\n";
}
