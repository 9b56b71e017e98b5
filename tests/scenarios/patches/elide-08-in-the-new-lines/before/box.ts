import { a } from "./a";

export class Box {
  private items: string[] = [];

  add(item: string) {
    this.items.push(item);
  }

  all() {
    return this.items;
  }
}

export function make() {
  return new Box();
}
