import { type Chain, chain as chainSchema, type Share } from '@catenary/contracts'
import { useDraftForm } from '../../components/forms/use-draft-form.ts'
import { conflictOf } from '../../lib/errors.ts'
import { showFormFailure } from '../../lib/forms/form-failure.ts'
import { undoSave } from '../../lib/forms/undo-save.ts'
import { toast } from '../../lib/toast.ts'
import { undoTags } from '../library/tags/undo-tags.ts'
import { useTagInput } from '../library/tags/use-tag-input.ts'
import { isSameShares, useSaveShares } from '../records/shares/shares.queries.ts'
import {
  type ChainForm,
  type ChainFormInput,
  chainForm,
  chainInput,
  differencesOf,
  formOf,
} from './chain-fields.tsx'
import { useCreateChain, useRestoreChain, useUpdateChain } from './chains.queries.ts'

export interface UseChainFormOptions {
  chain: Chain | null
  name?: string
  shares: readonly Share[]
  isOwner: boolean
  userId: number
  onCreated?: (id: number) => void
  onClose: () => void
}

export function useChainForm({
  chain,
  name = '',
  shares,
  isOwner,
  userId,
  onCreated,
  onClose,
}: UseChainFormOptions) {
  const tagInput = useTagInput()
  const { mutateAsync: create } = useCreateChain()
  const { mutateAsync: update } = useUpdateChain()
  const { mutateAsync: restore } = useRestoreChain(chain?.id ?? 0)
  const { mutateAsync: saveShares } = useSaveShares('chain')
  const state = useDraftForm<ChainFormInput, ChainForm, Chain>({
    key: `chain.${userId}.${chain?.id ?? 'new'}`,
    noun: 'chain',
    schema: chainForm,
    input: chainInput,
    initial: chain,
    formOf: (stored) => formOf({ name, ...stored, shares: [...shares] }),
    async save(
      { tags, shares: wanted, sharedLevel, runsVisibleTo, slug, note, ...fields },
      { revision, seen, onStored },
    ) {
      if (!chain) {
        const { id } = await create({ ...fields, sharedLevel })
        onCreated?.(id)
        toast({ title: 'Chain created', description: 'Your chain has been created successfully.' })
        return
      }
      const tagIds = await tagInput.idsOf(tags)
      const before = seen ?? chain
      const body = {
        ...fields,
        tagIds,
        revision,
        ...(isOwner ? { sharedLevel, runsVisibleTo } : {}),
        ...(slug === '' || slug === before.slug ? {} : { slug }),
        // Without a new version there is nothing to attach the note to.
        ...(note !== '' && isOtherVersion(fields, before) ? { note } : {}),
      }
      const saved = await update({ id: chain.id, body })
      onStored(saved)
      if (isOwner && sharedLevel === 'shared' && !isSameShares(wanted, shares)) {
        await saveShares({ id: chain.id, shares: wanted })
      }
      toast({
        title: 'Chain updated',
        description: `“${fields.name}” was saved.`,
        ...undoTags({
          before: before.tags,
          after: tagIds,
          restore: (tagIds) => update({ id: chain.id, body: { tagIds } }),
        }),
        ...undoSave({
          before,
          saved,
          restore: (number) => restore({ number, revision: saved.revision }),
          onRestored: () => undefined,
        }),
      })
    },
    conflictOf: (error) => conflictOf({ error, schema: chainSchema }),
    differencesOf,
    onFailure: (error) => showFormFailure({ title: chain ? 'Failed to update chain' : 'Error', error }),
    onClose,
  })
  const { stored, values } = state
  const nextVersion = stored && isOtherVersion(values, stored) ? stored.version + 1 : null
  return { ...state, nextVersion, tagInput: tagInput.ref }
}

type Versioned = Pick<Chain, 'name' | 'description' | 'stopsWithoutValue' | 'stopsWhenCut'>

function isOtherVersion(mine: Versioned, stored: Versioned): boolean {
  return (
    mine.name.trim() !== stored.name ||
    mine.description.trim() !== stored.description ||
    mine.stopsWithoutValue !== stored.stopsWithoutValue ||
    mine.stopsWhenCut !== stored.stopsWhenCut
  )
}
