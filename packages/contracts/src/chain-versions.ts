import * as z from 'zod'
import { chain, chainStep, listedStep } from './chains.ts'
import { idParams } from './common.ts'
import { defineApi } from './endpoint.ts'
import { listQuery } from './lists.ts'
import {
  numberOfVersion,
  restoreVersionRequest,
  savedVersion,
  versionNoteRequest,
  versionParams,
} from './records/versions.ts'

/** How many of a chain's versions are kept, besides labelled ones, unless they are too large together. */
export const CHAIN_VERSIONS_KEPT = 200
/** Bytes of the texts of a chain's kept versions together, and so of a chain. */
export const CHAIN_VERSIONS_BYTES = 20_000_000

const fields = {
  ...numberOfVersion,
  name: chain.shape.name.describe('Value when this version was saved.'),
  ...savedVersion,
}

const keptStep = chainStep.omit({ linkedPrompt: true })
export type KeptStep = z.infer<typeof keptStep>

export const chainVersion = z.object({
  ...fields,
  description: chain.shape.description.describe('Value when this version was saved.'),
  stopsWithoutValue: chain.shape.stopsWithoutValue,
  stopsWhenCut: chain.shape.stopsWhenCut,
  steps: z
    .array(listedStep.omit({ linkedPrompt: true }))
    .describe('In running order. Texts are cut off if the steps exceed 2 MB.'),
})
export type ChainVersion = z.infer<typeof chainVersion>

/** One for each save of steps, name, description or rule. */
export const listedChainVersion = z.object({
  ...fields,
  stepCount: z.int().describe('How many steps it has.'),
})
export type ListedChainVersion = z.infer<typeof listedChainVersion>

const CHANGERS = 'For people who may change the chain.'

export const chainVersionsApi = defineApi('chains', {
  'GET /api/chains/{id}/versions': {
    who: 'user',
    summary: 'Versions of steps and settings, newest first',
    description: `${CHANGERS} One for each save that changed something. The oldest are eventually deleted, unless a label points to them.`,
    params: idParams,
    query: listQuery,
    list: listedChainVersion,
  },
  'GET /api/chains/{id}/versions/{number}': {
    who: 'user',
    summary: 'One version with its steps',
    description: CHANGERS,
    params: versionParams('chain'),
    reply: chainVersion,
  },
  'POST /api/chains/{id}/versions/{number}/restore': {
    who: 'user',
    summary: "Save an older version's steps and settings as a new version",
    description: '409 with the current chain as details when the revision is stale.',
    params: versionParams('chain'),
    body: restoreVersionRequest,
    reply: chain,
    activity: { kind: 'chain.version_restored', object: 'chain' },
  },
  'DELETE /api/chains/{id}/versions/{number}': {
    who: 'user',
    summary: 'Delete a version',
    description: `${CHANGERS} 409 for the current one, and for one that a label points to.`,
    params: versionParams('chain'),
    activity: { kind: 'chain.version_deleted', object: 'chain' },
  },
  'PATCH /api/chains/{id}/versions/{number}': {
    who: 'user',
    summary: 'Edit a version’s note',
    description: `${CHANGERS} Nothing else about a version ever changes.`,
    params: versionParams('chain'),
    body: versionNoteRequest,
    activity: { kind: 'chain.version_noted', object: 'chain' },
  },
})
