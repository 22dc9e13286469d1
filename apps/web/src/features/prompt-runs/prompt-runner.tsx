import type { ListedVariable, Prompt } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { promptQuery } from '../prompts/prompts.queries.ts'
import { useNewVariable } from '../variables/use-new-variable.tsx'
import { allVariablesQuery } from '../variables/variables.queries.ts'

export interface RunnerSlots {
  variables: readonly ListedVariable[]
  createVariable: (name: string) => void
}

export interface PromptRunnerProps {
  id: number
  known?: Prompt | undefined
  renderPending: (prompt?: Prompt) => ReactNode
  renderError: (error: Error, retry: () => void) => ReactNode
  render: (slots: RunnerSlots & { prompt: Prompt }) => ReactNode
}

const NO_VARIABLES: readonly ListedVariable[] = []

export function PromptRunner({ id, known, renderPending, renderError, render }: PromptRunnerProps) {
  const { data: prompt, error, refetch } = useQuery({ ...promptQuery(id), placeholderData: known })
  if (prompt === undefined) return error ? renderError(error, () => void refetch()) : renderPending()
  return (
    <RunnerVariables renderPending={() => renderPending(prompt)}>
      {(slots) => render({ ...slots, prompt })}
    </RunnerVariables>
  )
}

export interface RunnerVariablesProps {
  /** Shown until they have been fetched: before, every value would seem to be missing. */
  renderPending: () => ReactNode
  children: (slots: RunnerSlots) => ReactNode
}

export function RunnerVariables({ renderPending, children }: RunnerVariablesProps) {
  const { createVariable, newVariable } = useNewVariable()
  const { data: variables = NO_VARIABLES, isPending } = useQuery(allVariablesQuery)
  if (isPending) return renderPending()
  return (
    <>
      {children({ variables, createVariable })}
      {newVariable}
    </>
  )
}
