import type { AskedSend } from '@catenary/contracts'
import { peopleText } from '../groups/group-texts.ts'

const HTTPS = /^https:\/\//i
const ROLES = { owner: 'the chain’s owner', editor: 'its editors', viewer: 'its viewers' } as const

/** One that its person has not allowed. */
export type UnsentSend = Unsent<AskedSend>
type Unsent<Send> = Send extends AskedSend ? Omit<Send, 'isConfirmed'> : never

/** As in ‘it would show your private values to ana’. */
export const SEND_VERBS = { ask: 'show', http: 'take', mail: 'email' } as const

/** Where a private value would go: to `ana, Support leads (4 people, led by ines), its editors (2)`, `POST shop.example.org/v1/refunds`. */
export function sendText(send: UnsentSend): string {
  if (send.kind === 'http') return `${send.method} ${send.address.replace(HTTPS, '')}`
  if (send.kind === 'mail') return send.to.join(', ')
  const { people, groups, role } = send
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
  if (!destination.startsWith('ask: '))
    return (destination.split('\n', 1)[0] ?? '').replace(/(?<= )https:\/\//i, '')
  return destination
    .replace(/^ask: /, '')
    .replaceAll(/#[0-9a-f]+(?=, |$)/g, '')
    .replaceAll('"', '')
}
