import type { HandOver, KeptRight, OwnedKind } from '@catenary/contracts'
import { BracesIcon, LinkIcon, type LucideIcon, MessageSquareTextIcon } from 'lucide-react'
import { truncate } from '../../../lib/text/truncate.ts'
import type { OwnedId } from './hand-overs.queries.ts'

/** The address says which record of a page its owner hands over. */
export const HAND_OVER = 'hand-over'

const TITLE_SHOWN_MAX = 60

export interface OwnedRecord extends OwnedId {
  /** Unknown where an address alone leads to it. */
  name?: string | undefined
}

export const KIND_ICONS: Record<OwnedKind, LucideIcon> = {
  prompt: MessageSquareTextIcon,
  chain: LinkIcon,
  variable: BracesIcon,
}

export const KIND_NAMES: Record<OwnedKind, string> = {
  prompt: 'Prompt',
  chain: 'Chain',
  variable: 'Variable',
}

const PATHS: Record<OwnedKind, (id: number) => string> = {
  prompt: (id) => `/?prompt=${id}`,
  chain: (id) => `/chains/${id}`,
  variable: (id) => `/variables?variable=${id}`,
}
/** Where a record is opened. */
export const pathOf = ({ kind, id }: OwnedId): string => PATHS[kind](id)

/** `“Refund reply”`, cut where it is long, or `this prompt`. */
export const nameText = ({ kind, name }: Pick<OwnedRecord, 'kind' | 'name'>): string =>
  name === undefined ? `this ${kind}` : `“${truncate({ text: name, max: TITLE_SHOWN_MAX })}”`

/** What one keeps of what one hands over. */
export function keptChoices(kind: OwnedKind): readonly { keep: KeptRight; label: string; about: string }[] {
  if (kind === 'variable') return []
  const change =
    kind === 'chain' ? 'see and run it, and change it while it isn’t public' : 'see, run and change it'
  return [
    { keep: 'editor', label: 'Can edit', about: `You can ${change}, until the new owner stops sharing it.` },
    { keep: 'nothing', label: 'Nothing', about: 'You see what everyone else sees of it.' },
  ]
}

/** What its owner reads before they offer it. */
export const OFFERED: Record<OwnedKind, string> = {
  prompt: 'Its versions, labels and shares go with it. Private values in its texts have to be allowed again.',
  chain: 'Its versions, labels and shares go with it. Private values in its texts have to be allowed again.',
  variable:
    'Its value and file go with it. Headers and the choice of a file in Google Drive are removed. Your prompts and chains then get its value only while it is public.',
}

/** What comes, for whoever is to own it. */
export function comingText({ kind, owner, keep }: HandOver): string[] {
  const former = keep === 'editor' ? `${owner} can still edit it until you stop sharing it.` : null
  return {
    prompt: [
      'It comes with its versions, labels and shares.',
      'Private values in its texts have to be allowed again.',
      former ?? `${owner} then sees what everyone else sees of it.`,
    ],
    chain: [
      'It comes with its versions, labels and shares. You see its runs as any owner does.',
      'Private values in its texts have to be allowed again.',
      former ?? `${owner} then sees what everyone else sees of it.`,
    ],
    variable: [
      'It comes with its value and its file.',
      'Headers and the choice of a file in Google Drive are removed: enter your own.',
      `${owner} then sees it only while it is public.`,
    ],
  }[kind]
}
