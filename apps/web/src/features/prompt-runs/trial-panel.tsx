import type { ListedVariable, ModelAlias, Prompt } from '@catenary/contracts'
import { estimateTokens } from '@catenary/domain'
import { useRef, useState } from 'react'
import type { ContentView } from '../../components/content-viewer/content-viewer.tsx'
import { useMediaQuery } from '../../lib/appearance/media-query.ts'
import { useShortcut } from '../../lib/keyboard/use-shortcut.ts'
import { toast } from '../../lib/toast.ts'
import { useDefaultModel, useModels } from '../model-settings/models.ts'
import type { Trial } from '../model-settings/trial.ts'
import { ActionBar } from './action-bar.tsx'
import { TWO_PANES } from './execute-panel.tsx'
import { ResponsePane } from './response-pane.tsx'
import { NO_RUN } from './run.ts'
import { fieldsOf, missingOf, namesIn, previewOf, type RunForm, requestOf } from './run-form.ts'
import { modelOf } from './targets/models.ts'
import { useRuns } from './use-runs.ts'
import { AskedSettings } from './values/asked-settings.tsx'
import { SentPreview } from './values/sent-preview.tsx'
import { useFetchApi } from './values/use-fetch-api.ts'
import { useStoredVariables } from './values/use-stored-variables.ts'
import { VariableFields } from './values/variable-fields.tsx'

export interface TrialPanelProps {
  prompt: Prompt | null
  trial: Trial
  variables: readonly ListedVariable[]
  model: string | null
  onModelChange: (model: ModelAlias) => void
}

export default function TrialPanel({ prompt, trial, variables, model: name, ...props }: TrialPanelProps) {
  const [typed, setTyped] = useState<RunForm['typed']>({})
  const [contentView, setContentView] = useState<ContentView>('rendered')
  const isWide = useMediaQuery(TWO_PANES)
  const panel = useRef<HTMLDivElement>(null)
  const model = modelOf({ name: name ?? trial.model, own: useDefaultModel(), models: useModels() })
  const fetchApi = useFetchApi()
  const {
    runs: [run = NO_RUN],
    start,
    stop,
  } = useRuns({
    promptId: prompt?.id ?? 0,
    onFailure: ({ title, reason, advice }) =>
      toast({ title, description: `${reason} ${advice}`, variant: 'destructive' }),
  })
  const { template, systemPrompt, messages, settings } = trial
  const form: RunForm = { template, typed, userInput: '', systemPrompt, messages, settings }
  const fields = fieldsOf({ form, stored: useStoredVariables({ names: namesIn(form), variables }) })
  const missing = missingOf(fields)
  const isRunning = run.phase === 'writing'
  const obstacle = obstacleOf({ prompt, trial })
  const execute = () => {
    if (isRunning || obstacle !== null || !prompt) return
    const request = requestOf({ prompt, model, form, fields })
    const { version } = prompt
    const { tokens } = estimateTokens(previewOf({ form, fields }))
    start([{ request, model, version, inputTokens: tokens, missing, repeats: null }])
  }
  useShortcut({ id: 'submit', within: panel, onPress: execute })
  return (
    <div ref={panel} data-runs className="flex min-h-0 flex-1 flex-col">
      <div className="@container grid min-h-0 flex-1 content-start gap-5 overflow-y-auto px-6 py-4 max-md:px-3.5">
        <VariableFields
          fields={fields}
          onChange={({ name, value }) => setTyped((typed) => ({ ...typed, [name]: value }))}
          onFetch={async ({ name, api }) => {
            if (!api || !(await fetchApi({ name, ...api }))) return
            setTyped(({ [name]: _, ...others }) => others)
          }}
        />
        <AskedSettings form={form} model={model} />
        {trial.untried.length > 0 && (
          <p className="text-xs text-text-3">
            {`Until you save, runs use ${trial.untried.join(' and ')} as last saved.`}
          </p>
        )}
        <SentPreview form={form} fields={fields} />
        <ResponsePane
          run={run}
          missing={missing}
          onStop={() => stop()}
          isNarrow={!isWide}
          contentView={contentView}
          onContentViewChange={setContentView}
        />
      </div>
      <ActionBar
        state={{
          view: { model },
          count: 1,
          changeView: ({ model }) => props.onModelChange(model),
          isRunning,
          obstacle,
          missing,
          execute,
        }}
        hasValues={fields.length > 0}
        onStop={isWide ? undefined : () => stop()}
      />
    </div>
  )
}

function obstacleOf({ prompt, trial }: { prompt: Prompt | null; trial: Trial }): string | null {
  if (!prompt) return 'Create the prompt to run it.'
  if (!prompt.isActive) return 'This prompt is inactive. Activate and save it to run it.'
  if (trial.problem !== null) return `${trial.problem}.`
  return trial.template.trim() === '' ? 'The prompt is empty.' : null
}
