import { type Chain, type ChainStep, chain as chainSchema } from '@catenary/contracts'
import { oppositeOf, stepTitle } from '@catenary/domain'
import { useMemo } from 'react'
import { useDraftForm } from '../../../components/forms/use-draft-form.ts'
import { conflictOf } from '../../../lib/errors.ts'
import { refusedFields, showFormFailure } from '../../../lib/forms/form-failure.ts'
import { toast } from '../../../lib/toast.ts'
import { useDefaultModel } from '../../model-settings/models.ts'
import { useCreateStep, useUpdateStep } from '../chains.queries.ts'
import { kindFormOf } from './kind-forms.ts'
import {
  differencesOf,
  draftOf,
  formOf,
  type NextStep,
  type StepForm,
  stepFormFor,
  withoutSameFlow,
} from './step-form.ts'
import { type StepFormInput, stepInput } from './step-input.ts'
import { useStepUndo } from './use-step-undo.ts'

export interface UseStepFormOptions {
  chain: Chain
  step: ChainStep | null
  /** The step that the new one is for where its condition doesn’t hold. */
  elseOf?: ChainStep | undefined
  userId: number
  onClose: () => void
}

/** A step has no revision of its own. */
type StoredStep = ChainStep & Pick<Chain, 'revision' | 'version'>

export function useStepForm({ chain, step, elseOf, userId, onClose }: UseStepFormOptions) {
  const { mutateAsync: create } = useCreateStep()
  const { mutateAsync: update } = useUpdateStep()
  const undo = useStepUndo(chain.id)
  const undoOf = ({ revision, version }: Over) =>
    revision === undefined || version === undefined ? {} : undo({ revision, version })
  const others = useMemo(() => chain.steps.filter(({ id }) => id !== step?.id), [chain.steps, step?.id])
  const model = useDefaultModel() ?? undefined
  const next = { position: (others.at(-1)?.position ?? -1) + 1, model, ...afterwards(elseOf) }

  const staleOf = (error: unknown): StoredStep | undefined => {
    const current = conflictOf({ error, schema: chainSchema })
    const stored = current?.steps.find(({ id }) => id === step?.id)
    return current && stored && { ...stored, revision: current.revision, version: current.version }
  }
  const updateOver = async ({ id, values, over, seen }: Save): Promise<Over> => {
    try {
      const body = seen ? withoutSameFlow(values, seen) : values
      await update({ chainId: chain.id, stepId: id, body: { ...body, revision: over.revision } })
      return over
    } catch (error) {
      const theirs = staleOf(error)
      const isSame = theirs && seen && differencesOf({ mine: formOf(seen), theirs }).length === 0
      if (!isSame) throw error
      return updateOver({ id, values, over: theirs, seen })
    }
  }

  return useDraftForm<StepFormInput, StepForm, StoredStep>({
    key: `step.${userId}.${chain.id}.${step?.id ?? (elseOf ? `else.${elseOf.id}` : 'new')}`,
    noun: 'step',
    schema: stepFormFor(others.map(({ outputVariableName }) => outputVariableName)),
    input: stepInput,
    initial: step && { ...step, revision: chain.revision, version: chain.version },
    formOf: (stored) => formOf(stored ?? next),
    draftOf,
    async save(values, { revision, seen }) {
      const title = `“${stepTitle(values)}”`
      if (step) {
        const over = await updateOver({
          id: step.id,
          values,
          over: { revision, version: seen?.version },
          seen,
        })
        toast({ title: 'Step updated', description: `${title} was saved.`, ...(await undoOf(over)) })
      } else {
        await create({ chainId: chain.id, body: withoutSameFlow(values, {}) })
        toast({
          title: 'Step added',
          description: `${title} is now part of the chain.`,
          ...(await undoOf(chain)),
        })
      }
    },
    conflictOf: staleOf,
    differencesOf,
    onFailure(error, form) {
      showFormFailure({ title: step ? 'Failed to update step' : 'Failed to add step', error })
      const values = form.getValues()
      const { fieldOf } = kindFormOf(values).own ?? {}
      for (const { path: refused, message } of refusedFields(error)) {
        const path = fieldOf?.(refused, values) ?? refused
        const [field = ''] = path.split('.')
        const isWithin = field === 'forEach' || path !== refused
        if (path in stepInput.shape || (isWithin && field in stepInput.shape))
          form.setError(path as keyof StepFormInput, { message }, { shouldFocus: true })
      }
    },
    onClose,
  })
}

/** Right after the other: steps at one position run as they were added. */
function afterwards(elseOf: ChainStep | undefined): Partial<NextStep> {
  return elseOf?.onlyIf ? { position: elseOf.position, onlyIf: oppositeOf(elseOf.onlyIf) } : {}
}

/** A draft of an earlier chain doesn't know its version. */
interface Over {
  revision: number | undefined
  version: number | undefined
}

interface Save {
  id: number
  values: StepForm
  over: Over
  seen: ChainStep | null
}
