import { type Chain, type Group, isSameName, type Share, type StepAsk } from '@catenary/contracts'
import { listText } from '../../../asks/ask-texts.ts'
import type { AskInput } from './ask-form.ts'

type Asked = Pick<StepAsk, 'people' | 'groups' | 'role' | 'notTheRunner'>

export interface AnswerersOptions {
  asked: Asked
  chain: Pick<Chain, 'owner' | 'sharedLevel'>
  /** Whom the chain is shared with; undefined: not known. */
  shares: readonly Share[] | undefined
  /** The groups that are known to whoever asks, which need not be all. */
  groups: readonly Group[]
}

/** What keeps people whom a step asks from answering: null where all could, as far as that is known. */
export function answerersProblem({ asked, chain, shares, groups }: AnswerersOptions): string | null {
  const { people, groups: named, role, notTheRunner } = asked
  if (people.length + named.length === 0 && role === undefined) return null
  if (chain.sharedLevel === 'shared' && shares === undefined) return null
  const seen = openTo({ chain, shares: shares ?? [], groups })
  const blind = people.filter((name) => !seen.person(name))
  const blindGroups = named.filter((name) => !seen.group(name))
  const byRole = role === undefined || seen.role(role)
  const reasons = [
    blind.length + blindGroups.length > 0 &&
      `${listText([...blind, ...blindGroups], 'and')} can’t see this chain`,
    !byRole && `the chain is shared with no ${role}s`,
  ].filter((reason) => reason !== false)
  const able = people.filter((name) => !blind.includes(name))
  if (role === 'owner') able.push(chain.owner)
  const hasMore = named.length > blindGroups.length || (byRole && role !== undefined && role !== 'owner')
  if (able.length === 0 && !hasMore) return `Nobody could answer: ${reasons.join(', and ')}.`
  const isOne = !hasMore && new Set(able.map((name) => name.toLowerCase())).size === 1
  if (notTheRunner && isOne) return `Nobody could answer in runs that ${able.at(-1)} starts.`
  return reasons.length === 0 ? null : `${sentence(reasons.join(', and '))}, so the others have to answer.`
}

/** Whether a step that calls a service stands behind a new one at that position. */
export const isBeforeTool = ({
  chain: { steps },
  position,
}: {
  chain: Pick<Chain, 'steps'>
  position: unknown
}): boolean => steps.some((step) => step.kind === 'tool' && step.position >= Number(position))

/** Whether somebody else than the person is asked. */
export function asksOthers(
  { people, groups, role }: Pick<AskInput, 'people' | 'groups' | 'role'>,
  { user, owner }: { user: { username: string } | null | undefined; owner: string },
): boolean {
  const isOther = (name: string) => name.toLowerCase() !== user?.username.toLowerCase()
  if (people.some(isOther) || groups.length > 0) return true
  return role === 'owner' ? isOther(owner) : role !== 'nobody'
}

function openTo({
  chain: { owner, sharedLevel },
  shares,
  groups,
}: Pick<AnswerersOptions, 'chain' | 'groups'> & { shares: readonly Share[] }) {
  const isOpen = sharedLevel === 'public'
  const counted = sharedLevel === 'private' ? [] : shares
  const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()
  const groupOf = (name: string) => groups.find((group) => isSameName(group.name, name))
  const sharedGroups = counted.flatMap((share) => ('group' in share ? [share.group] : []))
  /** Who is in a group that one doesn't see is not known: it may be anybody. */
  const mayHold = (group: string, name: string) => {
    const known = groupOf(group)
    return known === undefined || known.isBuiltIn || known.members.some((member) => isSame(member, name))
  }
  const person = (name: string): boolean =>
    isOpen ||
    isSame(name, owner) ||
    counted.some((share) => 'username' in share && isSame(share.username, name)) ||
    sharedGroups.some((group) => mayHold(group, name))
  const group = (name: string): boolean => {
    const known = groupOf(name)
    if (isOpen || known === undefined || known.isBuiltIn) return true
    return sharedGroups.some((shared) => isSameName(shared, name)) || known.members.some(person)
  }
  const role = (wanted: NonNullable<StepAsk['role']>): boolean =>
    wanted === 'owner' || (sharedLevel === 'shared' && shares.some((share) => share.role === wanted))
  return { person, group, role }
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
