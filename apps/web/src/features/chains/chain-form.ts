import {
  type Chain,
  chain as chainSchema,
  chainShare,
  createChainRequest,
  tag,
  updateChainRequest,
} from '@catenary/contracts'
import * as z from 'zod'
import type { Difference } from '../../components/conflict-panel.tsx'
import { VISIBILITIES } from './share-state.tsx'

/** What is saved of a new chain: its visibility is a switch. */
export const newChainForm = z.object({
  name: createChainRequest.shape.name,
  description: createChainRequest.shape.description.unwrap(),
  isPublic: z.boolean(),
})
export type NewChainForm = z.infer<typeof newChainForm>

export const newChainDraft = z.object({ name: z.string(), description: z.string(), isPublic: z.boolean() })

/** What is saved of a chain: its fields with whole tags, and who it is shared with. */
export const chainForm = z.object({
  name: updateChainRequest.shape.name.unwrap(),
  description: updateChainRequest.shape.description.unwrap(),
  sharedLevel: chainSchema.shape.sharedLevel,
  tags: z.array(tag),
  shares: z.array(chainShare),
})
export type ChainForm = z.infer<typeof chainForm>

/** While it is being filled in nothing is required. */
const chainInput = z.object({
  name: z.string(),
  description: z.string(),
  sharedLevel: chainSchema.shape.sharedLevel,
  tags: z.array(tag),
  shares: z.array(chainShare),
})

/** A draft remembers which revision it began with. */
export const chainDraft = z.object({ revision: z.int(), values: chainInput })

/** What the form shows at first. */
export function formOf({ chain, shares }: { chain: Chain; shares: ChainForm['shares'] }): ChainForm {
  const { name, description, sharedLevel, tags } = chain
  return { name, description, sharedLevel, tags, shares }
}

/** What the person's form and the stored chain do not share; who it is shared with is saved by a call of its own. */
export function differencesOf({ mine, theirs }: { mine: ChainForm; theirs: Chain }): Difference[] {
  const rows = [
    { label: 'Name', mine: mine.name, theirs: theirs.name },
    { label: 'Description', mine: mine.description, theirs: theirs.description },
    {
      label: 'Visibility',
      mine: VISIBILITIES[mine.sharedLevel].label,
      theirs: VISIBILITIES[theirs.sharedLevel].label,
    },
    { label: 'Tags', mine: namesOf(mine.tags), theirs: namesOf(theirs.tags) },
  ]
  return rows.filter((row) => row.mine !== row.theirs)
}

/** Whether two lists name the same people in the same roles. */
export function isSameShares(left: ChainForm['shares'], right: ChainForm['shares']): boolean {
  const textOf = (shares: ChainForm['shares']) =>
    shares
      .map(({ username, role }) => `${username} ${role}`)
      .sort()
      .join('\n')
  return textOf(left) === textOf(right)
}

function namesOf(tags: readonly { name: string }[]): string {
  return tags
    .map(({ name }) => name)
    .sort()
    .join(', ')
}
