import type { ListedVariable, ModelAlias, Prompt, PromptExecution } from '@catenary/contracts'
import { estimateTokens } from '@catenary/domain'
import { type ReactNode, useState } from 'react'
import { useModels } from '../../lib/models.ts'
import {
  type ExecutionForm,
  fieldsOf,
  formOfExecution,
  formOfPrompt,
  isEdited,
  missingOf,
  namesOf,
  previewOf,
  requestOf,
  type VariableField,
} from './execution-form.ts'
import { useFetchContents } from './executions.queries.ts'
import { modelOf } from './models.ts'
import type { Run } from './run.ts'
import type { RunFailure } from './run-failure.ts'
import { useFetchApi } from './use-fetch-api.ts'
import { useRun } from './use-run.ts'
import { useStoredVariables } from './use-stored-variables.ts'

export type ExecutionTab = 'prompt' | 'response' | 'history'

/** What the screen shows beside the form; the page keeps it in the address. */
export interface ExecutionView {
  model: ModelAlias
  /** On narrow screens one part is seen at a time. */
  tab: ExecutionTab
  /** On wide screens the history opens below the answer. */
  isHistoryOpen: boolean
}

export interface ExecutionOptions {
  prompt: Prompt
  variables: readonly ListedVariable[]
  /** A name of the template that the library does not have yet. */
  createVariable: (name: string) => void
  /** Connects the person's Google Drive where it isn't. */
  renderDriveConnect: (props: { onConnected: () => void }) => ReactNode
  view: ExecutionView
  onViewChange: (change: Partial<ExecutionView>) => void
  onFailure: (failure: RunFailure) => void
}

export interface Execution {
  prompt: Prompt
  view: ExecutionView
  changeView: (change: Partial<ExecutionView>) => void
  variables: readonly ListedVariable[]
  createVariable: (name: string) => void
  /** Beside an own file in Google Drive that can't be read. */
  driveConnect: ReactNode
  form: ExecutionForm
  fields: readonly VariableField[]
  /** Names without a value: a run sends their references as they are written. */
  missing: readonly string[]
  isEdited: boolean
  change: (change: Partial<ExecutionForm>) => void
  setValue: (value: { name: string; value: string }) => void
  /** Fetches an API variable now; what was typed in its place goes. */
  fetchValue: (field: VariableField) => Promise<void>
  run: Run
  isRunning: boolean
  /** Why it can't be run now; null when it can. */
  obstacle: string | null
  execute: () => void
  stop: () => void
  /** Fills the form with the inputs of an earlier run. */
  takeInputs: (execution: PromptExecution) => void
}

/** Everything that the execute page and dialog share: the form, the run and what the screen shows. */
export function useExecution(options: ExecutionOptions): Execution {
  const { prompt, variables, createVariable, renderDriveConnect, view, onViewChange, onFailure } = options
  const [form, setForm] = useState(() => formOfPrompt(prompt))
  const { run, start, stop } = useRun({ promptId: prompt.id, onFailure })
  const stored = useStoredVariables({ names: namesOf(form.template), variables })
  const fields = fieldsOf({ form, stored })
  const models = useModels()
  const fetchApi = useFetchApi()
  const fetchContents = useFetchContents()
  const isRunning = run.phase === 'writing'
  const obstacle = obstacleOf({ prompt, form })
  const missing = missingOf(fields)

  const change = (change: Partial<ExecutionForm>) => setForm((form) => ({ ...form, ...change }))
  const execute = () => {
    if (isRunning || obstacle !== null) return
    onViewChange({ tab: 'response' })
    const request = requestOf({ prompt, model: view.model, form, fields })
    const { tokens } = estimateTokens(previewOf({ form, fields }))
    void start({ request, model: view.model, inputTokens: tokens, missing })
  }
  return {
    prompt,
    view,
    changeView: onViewChange,
    variables,
    createVariable,
    driveConnect: renderDriveConnect({ onConnected: fetchContents }),
    form,
    fields,
    missing,
    isEdited: isEdited({ form, prompt }),
    change,
    setValue: ({ name, value }) => setForm((form) => ({ ...form, typed: { ...form.typed, [name]: value } })),
    async fetchValue({ name, api }) {
      if (!api || !(await fetchApi({ name, ...api }))) return
      setForm((form) => ({ ...form, typed: without({ typed: form.typed, name }) }))
    },
    run,
    isRunning,
    obstacle,
    execute,
    stop,
    takeInputs(execution) {
      setForm(formOfExecution({ execution, prompt }))
      onViewChange({ model: modelOf({ name: execution.model, models }), tab: 'prompt' })
    },
  }
}

function without({ typed, name }: { typed: ExecutionForm['typed']; name: string }): ExecutionForm['typed'] {
  return Object.fromEntries(Object.entries(typed).filter(([other]) => other !== name))
}

function obstacleOf({ prompt, form }: { prompt: Prompt; form: ExecutionForm }): string | null {
  if (!prompt.isActive) return 'This prompt is inactive. Activate it to execute it.'
  if (!prompt.canExecute) return 'You may not execute this prompt.'
  return form.template.trim() === '' ? 'The prompt is empty.' : null
}
