import { cutText } from '@catenary/domain'

const COPY = ' (copy)'

/** What a copy is called, within the bound of names. */
export function nameOfCopy(name: string, most: number): string {
  return `${cutText(name, most - COPY.length)}${COPY}`
}
