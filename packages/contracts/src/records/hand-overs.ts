import * as z from 'zod'
import { id, idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { listQuery } from '../lists.ts'
import { nameText } from '../names.ts'
import { RECORD_KINDS } from './records.ts'

/** An offer that nobody answers ends after so many days. */
export const HAND_OVER_DAYS = 30

/** What has an owner that can be another. */
const OWNED_KINDS = [...RECORD_KINDS, 'variable'] as const
export type OwnedKind = (typeof OWNED_KINDS)[number]

const KEPT_RIGHTS = ['editor', 'nothing'] as const
const keep = z
  .enum(KEPT_RIGHTS)
  .describe(
    'What the owner keeps once it is another’s. editor: they may see, run and change it, until the new owner stops sharing it; nothing: what everyone else has.',
  )
export type KeptRight = z.infer<typeof keep>

/** A record that its owner offers to another person, who has not answered yet. */
export const handOver = z.object({
  kind: z.enum(OWNED_KINDS).describe('What is offered.'),
  id: id.describe('Id of the prompt, chain or variable.'),
  title: z.string().describe('Title of the prompt, or name of the chain or variable.'),
  owner: z.string().describe('Username of its owner, who offers it.'),
  to: z.string().describe('Username of the person to whom it is offered.'),
  keep,
  offeredAt: timestamp,
  endsAt: timestamp.describe(`When the offer ends without an answer, ${HAND_OVER_DAYS} days later.`),
  canAccept: z.boolean().describe('It is offered to the caller.'),
  canTakeBack: z.boolean().describe('The caller offers it.'),
  canView: z.boolean().describe('The caller can see the prompt, chain or variable itself.'),
})
export type HandOver = z.infer<typeof handOver>

export const recordOwner = z.object({
  owner: z.string().describe('Username of the owner.'),
  handOver: handOver.nullable().describe('The offer that waits for an answer; null: none.'),
})
export type RecordOwner = z.infer<typeof recordOwner>

const username = nameText('Name a person')
  .max(100)
  .describe('Username of the person who is to own it, ignoring case.')

const handOverRequest = z.strictObject({ username, keep })
/** Variables have no editors: whoever doesn't own one sees it while it is public. */
const handOverVariableRequest = z.strictObject({
  username,
  keep: keep
    .extract(['nothing'])
    .default('nothing')
    .describe('Variables have no editors, so nothing is kept: it is seen as others see it.'),
})

interface Words<Kind extends OwnedKind> {
  kind: Kind
  /** What goes with it, and what does not. */
  goes: string
  taken: string
}

// Calls that stand in a table by themselves are left out of the web app with it; a member of what a call returns is not.
/* @__NO_SIDE_EFFECTS__ */
function showsOwner(kind: OwnedKind) {
  return {
    who: 'user',
    summary: `Who owns the ${kind}, and to whom it is offered`,
    description: `The offer is shown to its owner, to the person to whom it is offered, and to admins who see the ${kind}; to others it is null. 404 for people who can’t see the ${kind} and to whom it isn’t offered.`,
    params: idParams,
    reply: recordOwner,
    errors: [401, 404],
  } as const
}

/* @__NO_SIDE_EFFECTS__ */
function offersOwnership<Kind extends OwnedKind, Body extends z.ZodType>(kind: Kind, body: Body) {
  return {
    who: 'user',
    summary: `Offer the ${kind} to another person, who becomes its owner by accepting it`,
    description: `For the owner. Until it is accepted nothing changes; another offer replaces this one. It ends after ${HAND_OVER_DAYS} days.`,
    params: idParams,
    body,
    reply: recordOwner,
    errors: [401, 403, 404],
    activity: { kind: `${kind}.owner_offered`, object: kind },
  } as const
}

/* @__NO_SIDE_EFFECTS__ */
function acceptsOwnership<Kind extends OwnedKind>({ kind, goes, taken }: Words<Kind>) {
  return {
    who: 'user',
    summary: `Accept the ${kind}: it is yours from now on`,
    description: `${goes} 404 if it isn’t offered to you (any more). ${taken} 403 if it would exceed your limits.`,
    params: idParams,
    reply: recordOwner,
    errors: [401, 403, 404, 409],
    activity: { kind: `${kind}.owner_changed`, object: kind },
  } as const
}

/* @__NO_SIDE_EFFECTS__ */
function endsOffer<Kind extends OwnedKind>(kind: Kind) {
  return {
    who: 'user',
    summary: `End the offer of the ${kind}`,
    description: 'Its owner takes it back; the person to whom it is offered declines it.',
    params: idParams,
    errors: [401, 403, 404],
    activity: { kind: `${kind}.owner_offer_ended`, object: kind },
  } as const
}

const PROMPT: Words<'prompt'> = {
  kind: 'prompt',
  goes: 'With its versions, labels and shares. Private values that anybody allowed in its texts (D69) have to be allowed again. It gets another slug where you have its own already.',
  taken: '409 `name_taken` if it has an alias that is a name of one of your prompts.',
}
const CHAIN: Words<'chain'> = {
  kind: 'chain',
  goes: 'With its versions, labels and shares. Private values that anybody allowed in its texts (D69) have to be allowed again. Its runs are shown to you as to any owner. It gets another slug where you have its own already.',
  taken: '',
}
const VARIABLE: Words<'variable'> = {
  kind: 'variable',
  goes: 'With its file. Headers are removed, and so is the choice of a file in Google Drive (D24, D26); an address is handed over as it is. Its name comes off the lists of private names that the two of you allowed (D69).',
  taken: '409 `name_taken` if you have a variable of that name.',
}

export const promptOwnersApi = defineApi('prompts', {
  'GET /api/prompts/{id}/owner': showsOwner('prompt'),
  'POST /api/prompts/{id}/owner': offersOwnership('prompt', handOverRequest),
  'DELETE /api/prompts/{id}/owner': endsOffer('prompt'),
  'POST /api/prompts/{id}/owner/accept': acceptsOwnership(PROMPT),
})

export const chainOwnersApi = defineApi('chains', {
  'GET /api/chains/{id}/owner': showsOwner('chain'),
  'POST /api/chains/{id}/owner': offersOwnership('chain', handOverRequest),
  'DELETE /api/chains/{id}/owner': endsOffer('chain'),
  'POST /api/chains/{id}/owner/accept': acceptsOwnership(CHAIN),
})

export const variableOwnersApi = defineApi('variables', {
  'GET /api/variables/{id}/owner': showsOwner('variable'),
  'POST /api/variables/{id}/owner': offersOwnership('variable', handOverVariableRequest),
  'DELETE /api/variables/{id}/owner': endsOffer('variable'),
  'POST /api/variables/{id}/owner/accept': acceptsOwnership(VARIABLE),
})

export const handOversApi = defineApi('accounts', {
  'GET /api/hand-overs': {
    who: 'user',
    summary:
      'Prompts, chains and variables that are offered to you, or that you offer to others, newest first',
    description:
      'Of what you can’t see yet, its kind and title alone. You accept or end an offer by the path of its record.',
    query: listQuery,
    list: handOver,
    errors: [401],
  },
})
