import * as z from 'zod'
import { chain, chainStep, listedStep } from './chains.ts'
import { idParam, timestamp } from './common.ts'

/** How many of a chain's versions are kept, besides labelled ones, unless they are too large together. */
export const CHAIN_VERSIONS_KEPT = 200
/** Bytes of the texts of a chain's kept versions together, and so of a chain. */
export const CHAIN_VERSIONS_BYTES = 20_000_000

const fields = {
  number: z.int().describe('Counts from 1.'),
  name: chain.shape.name.describe('Value when this version was saved.'),
  note: z.string().describe('The author’s note, one line; may be empty.'),
  author: z.string().nullable().describe("The author's username; null when the account is gone."),
  createdAt: timestamp,
}

/** A step as a version of its chain keeps it. */
const keptStep = chainStep.omit({ linkedPrompt: true })
export type KeptStep = z.infer<typeof keptStep>

/** GET /api/chains/{id}/versions/{number} */
export const chainVersion = z.object({
  ...fields,
  description: chain.shape.description.describe('Value when this version was saved.'),
  stopsWithoutValue: chain.shape.stopsWithoutValue,
  stopsWhenCut: chain.shape.stopsWhenCut,
  steps: z
    .array(listedStep.omit({ linkedPrompt: true }))
    .describe('In running order. Texts are cut short where the steps exceed 2 MB.'),
})
export type ChainVersion = z.infer<typeof chainVersion>

/** In GET /api/chains/{id}/versions, newest first: one for each save of steps, name, description or rule. */
export const listedChainVersion = z.object({
  ...fields,
  stepCount: z.int().describe('How many steps it has.'),
})
export type ListedChainVersion = z.infer<typeof listedChainVersion>

export const chainVersionParams = z.strictObject({
  id: idParam.describe('Id of the chain.'),
  number: idParam.describe('Number of the version.'),
})
