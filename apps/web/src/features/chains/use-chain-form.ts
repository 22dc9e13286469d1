import { type Chain, type ChainShare, chain as chainSchema } from '@catenary/contracts'
import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { TagInputHandle } from '../../components/tag-input-slot.ts'
import { readDraft } from '../../lib/draft.ts'
import { conflictOf } from '../../lib/errors.ts'
import { useFormDraft } from '../../lib/form-draft.ts'
import { toast } from '../../lib/toast.ts'
import { type ChainForm, chainDraft, chainForm, differencesOf, formOf, isSameShares } from './chain-form.ts'
import { useSaveShares, useUpdateChain } from './chains.queries.ts'
import { showFormFailure } from './form-failure.ts'

export interface UseChainFormOptions {
  chain: Chain
  /** Who it is shared with now. */
  shares: ChainShare[]
  /** Only the owner says who sees the chain. */
  isOwner: boolean
  userId: number
  onClose: () => void
}

const FAILURE = 'Failed to update chain'

/** The Edit Chain dialog's form with its draft, its two saves and what happens on a conflict. */
export function useChainForm({ chain, shares, isOwner, userId, onClose }: UseChainFormOptions) {
  const draftKey = `chain.${userId}.${chain.id}`
  const [draft] = useState(() => readDraft({ key: draftKey, schema: chainDraft }))
  const [revision, setRevision] = useState(draft?.revision ?? chain.revision)
  const [conflict, setConflict] = useState<Chain | null>(null)
  const tagInput = useRef<TagInputHandle>(null)
  const update = useUpdateChain()
  const saveShares = useSaveShares()

  const form = useForm<ChainForm>({
    resolver: zodResolver(chainForm),
    defaultValues: formOf({ chain, shares }),
  })
  const { isSubmitting } = form.formState
  const values = useWatch({ control: form.control }) as ChainForm
  const kept = useFormDraft({ key: draftKey, form, restored: draft?.values, kept: { revision, values } })

  const close = () => {
    kept.discard()
    onClose()
  }
  const save = async ({ shares: wanted, tags, sharedLevel, ...fields }: ChainForm, revision: number) => {
    const tagIds = tags.map(({ id }) => id)
    const body = { ...fields, tagIds, ...(isOwner ? { sharedLevel } : {}), revision }
    const saved = await update.mutateAsync({ id: chain.id, body })
    // The second save may fail: then the first one is not stale the next time.
    setRevision(saved.revision)
    if (isOwner && sharedLevel === 'shared' && !isSameShares(wanted, shares)) {
      await saveShares.mutateAsync({ id: chain.id, shares: wanted })
    }
    toast({ title: 'Chain updated', description: `“${fields.name}” was saved.` })
  }
  const submitAt = (revision: number) =>
    form.handleSubmit(async (values) => {
      if (isSubmitting) return
      setConflict(null)
      try {
        const tags = (await tagInput.current?.flush()) ?? values.tags
        await save({ ...values, tags }, revision)
        close()
      } catch (error) {
        const stored = conflictOf({ error, schema: chainSchema })
        if (stored) setConflict(stored)
        else showFormFailure({ title: FAILURE, error })
      }
    })
  const startFrom = (stored: Chain) => {
    form.reset(formOf({ chain: stored, shares }))
    setRevision(stored.revision)
    kept.leave()
    setConflict(null)
  }

  return {
    form,
    values,
    tagInput,
    conflict: conflict && {
      noun: 'chain',
      differences: differencesOf({ mine: values, theirs: conflict }),
      onKeepMine() {
        setRevision(conflict.revision)
        void submitAt(conflict.revision)()
      },
      onTakeTheirs: () => startFrom(conflict),
    },
    close,
    submit: submitAt(revision),
    draft: { ...kept, onDiscard: () => startFrom(chain) },
  }
}
