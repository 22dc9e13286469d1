export interface Entry {
  at: string
  value: unknown
}

export function entriesOf(root: unknown, at = ''): Entry[] {
  return Array.isArray(root) ? root.map((value, index) => ({ at: `${at}[${index}]`, value })) : []
}
