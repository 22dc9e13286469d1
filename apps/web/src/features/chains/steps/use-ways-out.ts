import {
  CHAIN_INPUT,
  type Chain,
  type ChainStep,
  type UpdateStepRequest,
  withOwnTexts,
} from '@catenary/contracts'
import { replaceVariable, stepTitle } from '@catenary/domain'
import type { ReactNode } from 'react'
import { useSession } from '../../../lib/session/session.tsx'
import { toast, toastFailure } from '../../../lib/toast.ts'
import { useNewVariable } from '../../variables/use-new-variable.tsx'
import { useUpdateStep } from '../chains.queries.ts'
import { isAboutVariable, type WaysOutOf } from '../warning-text.tsx'
import { type ConditionInput, conditionInputOf, conditionOf, withName } from './flow/condition-input.ts'
import { withList } from './flow/loop-input.ts'
import { useStepUndo } from './use-step-undo.ts'

/** For a reference to no variable: create it, or take the chain's input, where the step's text may be changed. */
export function useWaysOut(chain: Chain): { waysOut: WaysOutOf; newVariable: ReactNode } {
  const { user } = useSession()
  const { createVariable, newVariable } = useNewVariable()
  const { mutate: update, isPending } = useUpdateStep()
  const undo = useStepUndo(chain.id)
  const takeInput = (step: ChainStep, name: string) => {
    const body = { ...withInputInStep(step, name), revision: chain.revision }
    update(
      { chainId: chain.id, stepId: step.id, body },
      {
        onSuccess: async () =>
          toast({
            title: 'Step updated',
            description: `“${stepTitle(step)}” now uses {{${CHAIN_INPUT.lastMessage}}}.`,
            ...(await undo(chain)),
          }),
        onError: toastFailure('Failed to update step'),
      },
    )
  }
  const waysOut: WaysOutOf = ({ kind, name, step: index }) => {
    if (!isAboutVariable({ kind, name }) || name === null || !user) return {}
    const step = index === null ? undefined : chain.steps[index]
    const isOwnText = chain.canEdit && step?.promptId === null
    return {
      createVariable: () => createVariable(name),
      takeInput: isOwnText && !isPending ? () => takeInput(step, name) : undefined,
    }
  }
  return { waysOut, newVariable }
}

/** What of a stored step changes with the chain's input in place of a variable. */
function withInputInStep(step: ChainStep, name: string): UpdateStepRequest {
  const onlyIf = conditionOf(conditionWithInput(conditionInputOf(step.onlyIf), name))
  const loop = loopWithInput(step.forEach ?? null, name)
  return {
    ...textsWithInput(step, name),
    ...(onlyIf && { onlyIf }),
    ...(loop && { forEach: loop }),
  }
}

function textsWithInput(step: ChainStep, name: string): UpdateStepRequest {
  const own = withOwnTexts(step, (text) => textWithInput(text, name))
  return Object.keys(own).length > 0 ? own : withInput(step, name)
}

interface StepTexts<Said> {
  content: string
  systemPrompt: string | null
  messages?: Said[] | undefined
}

const INPUT = `{{${CHAIN_INPUT.lastMessage}}}`

/** A text with the chain's input in place of a variable. */
export const textWithInput = (source: string, name: string): string =>
  replaceVariable({ source, name, by: INPUT })

export const conditionWithInput = (input: ConditionInput, name: string): ConditionInput =>
  withName(input, { name, by: CHAIN_INPUT.lastMessage })

export const loopWithInput = <Loop extends { list: string }>(loop: Loop | null, name: string): Loop | null =>
  withList(loop, { name, by: CHAIN_INPUT.lastMessage })

/** The texts of a step with the chain's input in place of a variable. */
export function withInput<Said extends { content: string }>(
  { content, systemPrompt, messages = [] }: StepTexts<Said>,
  name: string,
) {
  return {
    content: textWithInput(content, name),
    systemPrompt: systemPrompt === null ? null : textWithInput(systemPrompt, name),
    messages: messages.map((turn) => ({ ...turn, content: textWithInput(turn.content, name) })),
  }
}
