import type { ListedVariable, Prompt } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { part } from '../../components/part.tsx'
import { promptQuery } from '../../features/prompts/prompts.queries.ts'
import { DriveConnect } from '../../features/variables/sources/drive-connect.tsx'
import { allVariablesQuery } from '../../features/variables/variables.queries.ts'
import { useSession } from '../../lib/session/session.tsx'

const VariableDialog = part(() => import('../../features/variables/variable-dialog.tsx'))

export interface RunnerSlots {
  variables: readonly ListedVariable[]
  createVariable: (name: string) => void
  renderDriveConnect: (props: { onConnected: () => void }) => ReactNode
}

export interface PromptRunnerProps {
  id: number
  /** Shown until prompt and variables have been fetched. */
  known?: Prompt | undefined
  renderPending: () => ReactNode
  renderError: (error: Error, retry: () => void) => ReactNode
  render: (slots: RunnerSlots & { prompt: Prompt }) => ReactNode
}

const renderDriveConnect = (props: { onConnected: () => void }) => <DriveConnect {...props} />
const NO_VARIABLES: readonly ListedVariable[] = []

/** Fetches what running a prompt draws on, and creates the variables that it lacks. */
export function PromptRunner({ id, known, renderPending, renderError, render }: PromptRunnerProps) {
  const { data: prompt, error, refetch } = useQuery({ ...promptQuery(id), placeholderData: known })
  if (prompt === undefined) return error ? renderError(error, () => void refetch()) : renderPending()
  return (
    <RunnerVariables renderPending={renderPending}>{(slots) => render({ ...slots, prompt })}</RunnerVariables>
  )
}

export interface RunnerVariablesProps {
  /** Shown until they have been fetched: before, every value would seem to be missing. */
  renderPending: () => ReactNode
  children: (slots: RunnerSlots) => ReactNode
}

/** Fetches the variables of a text, and creates those that it lacks. */
export function RunnerVariables({ renderPending, children }: RunnerVariablesProps) {
  const { user } = useSession()
  const [newName, setNewName] = useState<string | null>(null)
  const { data: variables = NO_VARIABLES, isPending } = useQuery(allVariablesQuery)
  if (isPending) return renderPending()
  return (
    <>
      {children({ variables, createVariable: setNewName, renderDriveConnect })}
      {newName !== null && user && (
        <DialogSuspense>
          <VariableDialog
            key={newName}
            variable={null}
            name={newName}
            userId={user.id}
            onClose={() => setNewName(null)}
          />
        </DialogSuspense>
      )}
    </>
  )
}
