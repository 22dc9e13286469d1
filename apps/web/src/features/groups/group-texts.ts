import type { Group } from '@catenary/contracts'

export const peopleText = (count: number): string =>
  count === 1 ? '1 person' : `${count.toLocaleString('en')} people`

/** `group, 4 people` */
export function groupText({ isBuiltIn, memberCount }: Pick<Group, 'isBuiltIn' | 'memberCount'>): string {
  return isBuiltIn ? 'signed in, not guests' : `group, ${peopleText(memberCount)}`
}
