import type { AskedSend } from '@catenary/contracts'
import { peopleText } from '../groups/group-texts.ts'

const ROLES = { owner: 'the chain’s owner', editor: 'its editors', viewer: 'its viewers' } as const

/** Who would see a private value: `ana, Support leads (4 people, led by ines), its editors (2)`. */
export function sendText({ people, groups, role }: Pick<AskedSend, 'people' | 'groups' | 'role'>): string {
  const named = groups.map(({ name, memberCount, leaders }) => {
    const led = leaders.length === 0 ? '' : `, led by ${leaders.join(' and ')}`
    return `${name} (${peopleText(memberCount)}${led})`
  })
  const byRole =
    role === null ? [] : [role.role === 'owner' ? ROLES.owner : `${ROLES[role.role]} (${role.count})`]
  return [...people, ...named, ...byRole].join(', ')
}

/** The names in a destination of which no more is known: of `ask: ana#7, "Support leads"#2`, ana and Support leads. */
export function destinationText(destination: string): string {
  return destination
    .replace(/^ask: /, '')
    .replaceAll(/#[0-9a-f]+(?=, |$)/g, '')
    .replaceAll('"', '')
}
