import type { ListedVariable, ModelAlias, Prompt, PromptExecution } from '@catenary/contracts'
import { estimateTokens } from '@catenary/domain'
import { type ReactNode, useState } from 'react'
import { useModels } from '../../lib/models.ts'
import { toast } from '../../lib/toast.ts'
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

/** As many runs as have room side by side. */
export const COMPARED_MAX = 4

export type ExecutionTab = 'prompt' | 'response' | 'history'

/** What the screen shows beside the form; the page keeps it in the address. */
export interface ExecutionView {
  model: ModelAlias
  /** On narrow screens one part is seen at a time. */
  tab: ExecutionTab
  /** On wide screens the history opens below the answer; null: where there are runs. */
  isHistoryOpen: boolean | null
  /** Runs that are laid side by side; none: as usual. */
  compared: readonly number[]
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
  /** The prompt as it was when the copy began. */
  base: Prompt
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
  /** Runs once more what an earlier run was given; the form stays as it is. */
  runAgain: (execution: PromptExecution) => void
  /** Fills the form with the inputs of an earlier run. */
  takeInputs: (execution: PromptExecution) => void
  /** How often the form was filled so: each time the focus goes to the values. */
  timesTaken: number
}

/** Everything that the execute page and dialog share: the form, the run and what the screen shows. */
export function useExecution(options: ExecutionOptions): Execution {
  const { prompt, variables, createVariable, renderDriveConnect, view, onViewChange, onFailure } = options
  const [form, setForm] = useState(() => formOfPrompt(prompt))
  const [base, setBase] = useState(prompt)
  const [timesTaken, setTimesTaken] = useState(0)
  if (base !== prompt && (!isEdited({ form, prompt: base }) || !isEdited({ form, prompt }))) {
    // Saved meanwhile, here or by someone else: a copy without edits follows.
    setBase(prompt)
    if (isEdited({ form, prompt })) setForm((form) => ({ ...form, template: prompt.content }))
  }
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
    void start({ request, model: view.model, inputTokens: tokens, missing, repeats: null })
  }
  const runAgain = (execution: PromptExecution) => {
    const again = formOfExecution({ execution, prompt })
    if (isRunning || obstacleOf({ prompt, form: again }) !== null) return
    onViewChange({ tab: 'response' })
    const model = modelOf({ name: execution.model, models })
    // What is stored stands for the rest, and the server reads that.
    const fields = fieldsOf({ form: again, stored: new Map() })
    const { tokens } = estimateTokens(execution.executedPromptContent)
    const request = requestOf({ prompt, model, form: again, fields })
    void start({ request, model, inputTokens: tokens, missing: [], repeats: execution.id })
  }
  const takeInputs = (execution: PromptExecution) => {
    const before = { form, model: view.model }
    setForm(formOfExecution({ execution, prompt }))
    setTimesTaken((times) => times + 1)
    onViewChange({ model: modelOf({ name: execution.model, models }), tab: 'prompt' })
    if (!isEdited({ form, prompt }) && form.userInput + form.systemPrompt === '' && isEmpty(form.typed))
      return
    const restore = () => {
      setForm(before.form)
      onViewChange({ model: before.model })
    }
    toast({ title: 'Values taken over', action: { label: 'Undo', onPress: restore } })
  }
  return {
    prompt,
    base,
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
    runAgain,
    takeInputs,
    timesTaken,
  }
}

const isEmpty = (typed: ExecutionForm['typed']) => Object.keys(typed).length === 0

function without({ typed, name }: { typed: ExecutionForm['typed']; name: string }): ExecutionForm['typed'] {
  return Object.fromEntries(Object.entries(typed).filter(([other]) => other !== name))
}

function obstacleOf({ prompt, form }: { prompt: Prompt; form: ExecutionForm }): string | null {
  if (!prompt.isActive) return 'This prompt is inactive. Activate it to execute it.'
  if (!prompt.canExecute) return 'You may not execute this prompt.'
  return form.template.trim() === '' ? 'The prompt is empty.' : null
}
