import type { ListedVariable, ModelAlias, Prompt, PromptRun } from '@catenary/contracts'
import { estimateTokens } from '@catenary/domain'
import { useEffect, useState } from 'react'
import * as z from 'zod'
import { keepInputs, readInputs } from '../../lib/forms/session-inputs.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { useModels } from '../model-settings/models.ts'
import type { RatedRuns } from '../runs/rating/rated-filter.tsx'
import { NO_RUN, type Run, type StartRun } from './run.ts'
import type { RunFailure } from './run-failure.ts'
import {
  fieldsOf,
  followPrompt,
  formOfPrompt,
  formOfRun,
  isEdited,
  missingOf,
  namesIn,
  previewOf,
  type RunForm,
  requestOf,
  type VariableField,
} from './run-form.ts'
import { modelOf } from './targets/models.ts'
import { type Choice, type Target, targetsOf } from './targets/targets.ts'
import { useRuns } from './use-runs.ts'
import { useFetchApi } from './values/use-fetch-api.ts'
import { useStoredVariables } from './values/use-stored-variables.ts'

export const COMPARED_MAX = 4

export type ExecuteTab = 'prompt' | 'response' | 'history'

export interface ExecuteView extends Choice {
  /** On narrow screens one part is seen at a time. */
  tab: ExecuteTab
  /** On wide screens the history opens below the answer. */
  isHistoryOpen: boolean
  compared: readonly number[]
  rated: RatedRuns
}

export const DEFAULT_VIEW: Omit<ExecuteView, 'model'> = {
  otherModels: [],
  texts: ['copy'],
  tab: 'prompt',
  isHistoryOpen: false,
  compared: [],
  rated: null,
}

export interface ExecuteOptions {
  prompt: Prompt
  variables: readonly ListedVariable[]
  createVariable: (name: string) => void
  view: ExecuteView
  onViewChange: (change: Partial<ExecuteView>) => void
  onFailure: (failure: RunFailure) => void
  /** What is typed is there again after a look at another page. */
  keepsInputs?: boolean
}

interface KeptCopy {
  template: string
  base: Pick<Prompt, 'content' | 'version' | 'revision'>
}

export interface ExecuteState {
  prompt: Prompt
  base: Prompt
  view: ExecuteView
  changeView: (change: Partial<ExecuteView>) => void
  variables: readonly ListedVariable[]
  createVariable: (name: string) => void
  form: RunForm
  fields: readonly VariableField[]
  missing: readonly string[]
  isEdited: boolean
  change: (change: Partial<RunForm>) => void
  /** Goes on with a copy that was begun with what the prompt was then. */
  resume: (copy: KeptCopy) => void
  setValue: (value: { name: string; value: string }) => void
  fetchValue: (field: VariableField) => Promise<void>
  run: Run
  runs: readonly Run[]
  count: number
  isRunning: boolean
  obstacle: string | null
  execute: () => void
  stop: (place?: number) => void
  repeatAt: (place: number, model?: ModelAlias) => void
  /** Repeats an earlier run with its inputs; the form stays as it is. */
  runAgain: (run: PromptRun) => void
  takeInputs: (run: PromptRun) => void
  /** How often the form was filled that way: each time the focus moves to the values. */
  timesTaken: number
}

export function useExecute(options: ExecuteOptions): ExecuteState {
  const { prompt, variables, createVariable, view, onViewChange, onFailure, keepsInputs = false } = options
  const kept = useKeptForm({ prompt, keepsInputs })
  const [form, setForm] = useState(kept.begin)
  useKeeping({ prompt, form, key: kept.key })
  const [base, setBase] = useState(prompt)
  const [timesTaken, setTimesTaken] = useState(0)
  if (base !== prompt && (!isEdited({ form, prompt: base }) || !isEdited({ form, prompt }))) {
    // Saved meanwhile, here or by someone else: a copy without edits follows.
    setBase(prompt)
    setForm((form) => followPrompt({ form, base, prompt }))
  }
  const { runs, start, startAt, stop } = useRuns({ promptId: prompt.id, onFailure })
  const targets = targetsOf(view)
  const stored = useStoredVariables({ names: namesIn(form), variables })
  const fields = fieldsOf({ form, stored, othersNames: prompt.othersNames })
  const models = useModels()
  const fetchApi = useFetchApi()
  const isRunning = runs.some(({ phase }) => phase === 'writing')
  const obstacle = obstacleOf({ prompt, form })
  const missing = missingOf(fields)

  const change = (change: Partial<RunForm>) => setForm((form) => ({ ...form, ...change }))
  const startOf = ({ model, text }: Target): StartRun => {
    const asked = text === 'copy' ? form : { ...form, template: prompt.content }
    const isOlder = text !== 'copy' && text !== prompt.version
    const request = {
      ...requestOf({ prompt, model, form: asked, fields }),
      ...(isOlder && { promptVersion: text }),
    }
    const { tokens } = estimateTokens(previewOf({ form: asked, fields }))
    const version = isOlder ? text : prompt.version
    return { request, model, version, inputTokens: tokens, missing, repeats: null }
  }
  const repeatAt = (place: number, model?: ModelAlias) => {
    const run = runs[place]
    if (!run?.request || !run.model || obstacle !== null) return
    const asked = model ?? run.model
    const { version, inputTokens, missing, repeats } = run
    const request = { ...run.request, model: asked }
    startAt(place, { request, model: asked, version, inputTokens, missing, repeats })
  }
  const execute = () => {
    if (isRunning || obstacle !== null) return
    onViewChange({ tab: 'response' })
    start(targets.map(startOf))
  }
  const runAgain = (run: PromptRun) => {
    const again = formOfRun({ run, prompt })
    if (isRunning || obstacleOf({ prompt, form: again }) !== null) return
    onViewChange({ tab: 'response' })
    const model = modelOf({ name: run.model, models })
    // Everything else is as stored, and the server reads that.
    const fields = fieldsOf({ form: again, stored: new Map() })
    const { tokens } = estimateTokens(run.executedPromptContent)
    const request = requestOf({ prompt, model, form: again, fields })
    const { id: repeats } = run
    start([{ request, model, version: prompt.version, inputTokens: tokens, missing: [], repeats }])
  }
  const takeInputs = (run: PromptRun) => {
    const before = { form, model: view.model }
    setForm(formOfRun({ run, prompt }))
    setTimesTaken((times) => times + 1)
    onViewChange({ model: modelOf({ name: run.model, models }), tab: 'prompt' })
    const { systemPrompt } = formOfPrompt(prompt)
    const hasOwn = form.userInput !== '' || form.systemPrompt !== systemPrompt || !isEmpty(form.typed)
    if (!isEdited({ form, prompt }) && !hasOwn) return
    const restore = () => {
      setForm(before.form)
      onViewChange({ model: before.model })
    }
    toast({ title: 'Values copied', action: { label: 'Undo', onPress: restore } })
  }
  return {
    prompt,
    base,
    view,
    changeView: onViewChange,
    variables,
    createVariable,
    form,
    fields,
    missing,
    isEdited: isEdited({ form, prompt }),
    change,
    resume({ template, base }) {
      change({ template })
      setBase({ ...prompt, ...base })
    },
    setValue: ({ name, value }) => setForm((form) => ({ ...form, typed: { ...form.typed, [name]: value } })),
    async fetchValue({ name, api }) {
      if (!api || !(await fetchApi({ name, ...api }))) return
      setForm((form) => ({ ...form, typed: without({ typed: form.typed, name }) }))
    },
    run: runs[0] ?? NO_RUN,
    runs,
    count: targets.length,
    isRunning,
    obstacle,
    execute,
    stop,
    repeatAt,
    runAgain,
    takeInputs,
    timesTaken,
  }
}

const isEmpty = (typed: RunForm['typed']) => Object.keys(typed).length === 0

function without({ typed, name }: { typed: RunForm['typed']; name: string }): RunForm['typed'] {
  return Object.fromEntries(Object.entries(typed).filter(([other]) => other !== name))
}

function obstacleOf({ prompt, form }: { prompt: Prompt; form: RunForm }): string | null {
  if (!prompt.isActive) return 'This prompt is inactive. Activate it to execute it.'
  if (!prompt.canExecute) return 'You can’t run this prompt.'
  return form.template.trim() === '' ? 'The prompt is empty.' : null
}

const inputs = z.object({
  typed: z.record(z.string(), z.string()),
  userInput: z.string(),
  systemPrompt: z.string().optional(),
})

interface KeptOptions {
  prompt: Prompt
  keepsInputs: boolean
}

/** The form as it was left in this session, for whoever looked at another page meanwhile. */
function useKeptForm({ prompt, keepsInputs }: KeptOptions) {
  const { user } = useSession()
  const key = keepsInputs && user ? `${user.id}.${prompt.id}` : null
  return {
    begin(): RunForm {
      const form = formOfPrompt(prompt)
      const kept = key === null ? null : readInputs({ key, schema: inputs })
      if (kept === null) return form
      const { typed, userInput, systemPrompt = form.systemPrompt } = kept
      return { ...form, typed, userInput, systemPrompt }
    },
    key,
  }
}

/** Keeps what is typed, and nothing of what is stored. */
function useKeeping({ prompt, form, key }: { prompt: Prompt; form: RunForm; key: string | null }): void {
  const { typed, userInput, systemPrompt } = form
  useEffect(() => {
    if (key === null) return
    const isOwnText = systemPrompt === formOfPrompt(prompt).systemPrompt
    const isTyped = Object.keys(typed).length > 0 || userInput !== '' || !isOwnText
    keepInputs({
      key,
      inputs: isTyped ? { typed, userInput, ...(!isOwnText && { systemPrompt }) } : null,
    })
  }, [key, prompt, typed, userInput, systemPrompt])
}
