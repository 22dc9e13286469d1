import type { Prompt } from '@catenary/contracts'
import type { ContentView } from '../../../components/content-viewer/content-viewer.tsx'
import { errorMessage } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useModels } from '../../model-settings/models.ts'
import { useReadVersion } from '../prompt-runs.queries.ts'
import type { Run } from '../run.ts'
import type { ExecuteState } from '../use-execute.ts'
import type { ColumnActions } from './column-actions.ts'
import { columnOfRun } from './column-run.ts'
import { RunColumns } from './run-columns.tsx'

export interface ColumnSlots {
  onSaveText?: ((text: string) => void) | undefined
  onSaveTest?: ((executionId: number) => void) | undefined
}

export interface LiveColumnsProps extends ColumnSlots {
  state: Pick<ExecuteState, 'prompt' | 'runs' | 'stop' | 'repeatAt' | 'obstacle'>
  contentView: ContentView
  onContentViewChange: (view: ContentView) => void
  fills: boolean
  className?: string
}

export default function LiveColumns({
  state: { prompt, runs, stop, repeatAt, obstacle },
  onSaveText,
  onSaveTest,
  ...shown
}: LiveColumnsProps) {
  const models = useModels()
  const readVersion = useReadVersion(prompt.id)
  const columns = runs.map((run, place) => columnOfRun({ run, place, models }))
  const actionsOf = (run: Run | undefined, place: number): ColumnActions => {
    if (!run) return {}
    if (run.phase === 'writing') return { onStop: () => stop(place) }
    const { executionId } = run
    const canRepeat = obstacle === null
    return {
      onRunAgain: canRepeat ? () => repeatAt(place) : undefined,
      onOtherModel: canRepeat ? (model) => repeatAt(place, model) : undefined,
      saving:
        onSaveText && hasOtherText({ run, prompt })
          ? { number: prompt.version + 1, onSave: () => void keep(run) }
          : undefined,
      onSaveTest: onSaveTest && executionId !== null ? () => onSaveTest(executionId) : undefined,
    }
  }
  const keep = async ({ request }: Run) => {
    try {
      const text = request?.template ?? (await readVersion(request?.promptVersion ?? prompt.version)).content
      onSaveText?.(text)
    } catch (error) {
      toast({ title: 'Error', description: errorMessage(error), variant: 'destructive' })
    }
  }
  return (
    <RunColumns columns={columns} actionsOf={(_, place) => actionsOf(runs[place], place)} {...shown}>
      <h2 className="sr-only">AI responses</h2>
    </RunColumns>
  )
}

/** What ran is not what is stored now. */
function hasOtherText({ run: { request, version }, prompt }: { run: Run; prompt: Prompt }): boolean {
  if (request?.template !== undefined) return request.template !== prompt.content
  return version !== prompt.version
}
