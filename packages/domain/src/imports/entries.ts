/** What stands in a list of a file, with its place. */
export interface Entry {
  at: string
  value: unknown
}

/** Of a list each entry, whatever it is: what is none of the form has a line; of another value nothing. */
export function entriesOf(root: unknown, at = ''): Entry[] {
  return Array.isArray(root) ? root.map((value, index) => ({ at: `${at}[${index}]`, value })) : []
}
