const COPY = ' (copy)'

/** What a copy is called, within the bound of names. */
export function nameOfCopy(name: string, most: number): string {
  return `${name.slice(0, most - COPY.length).toWellFormed()}${COPY}`
}
