import { cutText } from '@catenary/domain'

const COPY = ' (copy)'

export function nameOfCopy(name: string, most: number): string {
  return `${cutText(name, most - COPY.length)}${COPY}`
}
