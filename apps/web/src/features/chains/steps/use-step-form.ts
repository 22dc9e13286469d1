import { type Chain, type ChainStep, chain as chainSchema } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import { zodResolver } from '@hookform/resolvers/zod'
import { useMemo, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { readDraft } from '../../../lib/draft.ts'
import { conflictOf } from '../../../lib/errors.ts'
import { useFormDraft } from '../../../lib/form-draft.ts'
import { toast } from '../../../lib/toast.ts'
import { useCreateStep, useUpdateStep } from '../chains.queries.ts'
import { refusedFields, showFormFailure } from '../form-failure.ts'
import {
  differencesOf,
  formOf,
  type StepForm,
  type StepFormInput,
  stepDraft,
  stepFormFor,
} from './step-form.ts'

export interface UseStepFormOptions {
  chain: Chain
  /** The step to edit; null adds one. */
  step: ChainStep | null
  userId: number
  onClose: () => void
}

/** The step dialog's form with its draft, its save and what happens on a conflict. */
export function useStepForm({ chain, step, userId, onClose }: UseStepFormOptions) {
  const draftKey = `step.${userId}.${chain.id}.${step?.id ?? 'new'}`
  const [draft] = useState(() => readDraft({ key: draftKey, schema: stepDraft }))
  const [start, setStart] = useState(() => formOf({ step, steps: chain.steps }))
  const [revision, setRevision] = useState(draft?.revision ?? chain.revision)
  const [conflict, setConflict] = useState<{ stored: ChainStep; revision: number } | null>(null)
  const create = useCreateStep()
  const update = useUpdateStep()

  const others = useMemo(() => chain.steps.filter(({ id }) => id !== step?.id), [chain.steps, step?.id])
  const form = useForm<StepFormInput, unknown, StepForm>({
    resolver: zodResolver(stepFormFor(others.map(({ outputVariableName }) => outputVariableName))),
    defaultValues: start,
  })
  const { isSubmitting } = form.formState
  const values = useWatch({ control: form.control }) as StepFormInput
  const kept = useFormDraft({ key: draftKey, form, restored: draft?.values, kept: { revision, values } })

  const close = () => {
    kept.discard()
    onClose()
  }
  const failure = step ? 'Failed to update step' : 'Failed to add step'

  const showFailure = (error: unknown) => {
    showFormFailure({ title: failure, error })
    for (const { path, message } of refusedFields(error)) {
      if (path in start) form.setError(path as keyof StepFormInput, { message }, { shouldFocus: true })
    }
  }
  const save = async (values: StepForm, revision: number): Promise<void> => {
    if (!step) {
      await create.mutateAsync({ chainId: chain.id, body: values })
      toast({ title: 'Step added', description: `“${stepTitle(values)}” is part of the chain now.` })
      return
    }
    try {
      await update.mutateAsync({ chainId: chain.id, stepId: step.id, body: { ...values, revision } })
    } catch (error) {
      const current = conflictOf({ error, schema: chainSchema })
      const stored = current?.steps.find(({ id }) => id === step.id)
      if (!current || !stored) throw error
      const isSame = differencesOf({ mine: start, theirs: storedForm(stored) }).length === 0
      // Something else of the chain was changed: nothing that this form would undo.
      if (isSame) return save(values, current.revision)
      throw new StaleStep(stored, current.revision)
    }
    toast({ title: 'Step updated', description: `“${stepTitle(values)}” was saved.` })
  }
  const submitAt = (revision: number) =>
    form.handleSubmit(async (values) => {
      if (isSubmitting) return
      setConflict(null)
      try {
        await save(values, revision)
        close()
      } catch (error) {
        if (error instanceof StaleStep) setConflict({ stored: error.stored, revision: error.revision })
        else showFailure(error)
      }
    })
  const startFrom = (next: StepFormInput, revision: number) => {
    form.reset(next)
    setStart(next)
    setRevision(revision)
    kept.leave()
    setConflict(null)
  }

  return {
    form,
    values,
    others,
    conflict: conflict && {
      noun: 'step',
      differences: differencesOf({ mine: values, theirs: storedForm(conflict.stored) }),
      onKeepMine() {
        setRevision(conflict.revision)
        setStart(storedForm(conflict.stored))
        void submitAt(conflict.revision)()
      },
      onTakeTheirs: () => startFrom(storedForm(conflict.stored), conflict.revision),
    },
    close,
    submit: submitAt(revision),
    draft: {
      ...kept,
      onDiscard: () => startFrom(formOf({ step, steps: chain.steps }), chain.revision),
    },
  }
}

/** Someone else saved this very step. */
class StaleStep extends Error {
  readonly stored: ChainStep
  readonly revision: number

  constructor(stored: ChainStep, revision: number) {
    super('This step was changed since you opened it')
    this.stored = stored
    this.revision = revision
  }
}

function storedForm(step: ChainStep): StepFormInput {
  return formOf({ step, steps: [] })
}
