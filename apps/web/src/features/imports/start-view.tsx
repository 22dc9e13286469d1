import type { RecentImport } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { FileUpIcon, FolderUpIcon, Undo2Icon } from 'lucide-react'
import { useState } from 'react'
import { LearnMore } from '../../components/learn-more.tsx'
import { RelativeTime } from '../../components/time/relative-time.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { countText } from '../../lib/text/count-text.ts'
import { FORMAT_NAMES } from './import-plan.ts'
import { recentImportsQuery } from './imports.queries.ts'

export interface StartViewProps {
  onChoose: () => void
  onChooseFolder: () => void
  onPaste: (text: string) => void
  onUndo: (id: number) => void
  onReport: (id: number) => void
  isUndoing: boolean
}

export function StartView({ onChoose, onChooseFolder, onPaste, ...recent }: StartViewProps) {
  const [text, setText] = useState('')
  return (
    <div className="grid content-start gap-5 overflow-y-auto px-5 pb-5">
      <div className="grid justify-items-center gap-3 rounded-card border border-dashed border-line-strong px-5 py-8 text-center">
        <p className="text-md font-semibold">Drop files or a folder here</p>
        <p className="max-w-[520px] text-sm text-text-2">
          A folder of Catenary or its zip, {FORMAT_NAMES.openai}, {FORMAT_NAMES.langfuse}, Markdown with front
          matter (skills, commands, Prompty, dotprompt), Open WebUI, prompts.chat and promptfoo are detected
          automatically.
        </p>
        <div className="flex flex-wrap justify-center gap-2">
          <Button variant="secondary" onClick={onChoose}>
            <FileUpIcon />
            Choose files
          </Button>
          <Button variant="secondary" onClick={onChooseFolder} className="max-md:hidden">
            <FolderUpIcon />
            Choose a folder
          </Button>
        </div>
        <LearnMore about="importing" />
      </div>
      <Field
        label="Or paste text"
        action={
          <Button variant="secondary" size="sm" disabled={text.trim() === ''} onClick={() => onPaste(text)}>
            Check it
          </Button>
        }
      >
        <Textarea
          rows={5}
          spellCheck={false}
          placeholder={'{ "id": "pmpt_…", "instructions": "You are …", "model": "gpt-4.1" }'}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="max-h-60 font-mono text-xs"
        />
      </Field>
      <RecentImports {...recent} />
    </div>
  )
}

function RecentImports({
  onUndo,
  onReport,
  isUndoing,
}: Pick<StartViewProps, 'onUndo' | 'onReport' | 'isUndoing'>) {
  const { data = [] } = useQuery(recentImportsQuery)
  if (data.length === 0) return null
  return (
    <section aria-labelledby="recent-imports" className="grid gap-1.5">
      <h3 id="recent-imports" className="text-sm font-semibold">
        Earlier imports
      </h3>
      <ul className="divide-y divide-line rounded-control border border-line">
        {data.slice(0, 3).map((each) => (
          <li key={each.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-sm">
            <span className="min-w-0 flex-1 truncate max-md:basis-full">{namesOf(each)}</span>
            <span className="text-text-2">
              {each.undoneAt ? 'undone' : countText(each.made + each.versions, 'prompt')}
            </span>
            <RelativeTime time={each.createdAt} className="text-text-3" />
            <Button
              variant="ghost"
              size="sm"
              aria-label={`Report of ${namesOf(each)}`}
              onClick={() => onReport(each.id)}
            >
              Report
            </Button>
            {each.canUndo && (
              <Button
                variant="secondary"
                size="sm"
                aria-label={`Undo ${namesOf(each)}`}
                pending={isUndoing}
                onClick={() => onUndo(each.id)}
              >
                <Undo2Icon />
                Undo
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function namesOf({ fileNames, fileCount }: RecentImport): string {
  const [first = ''] = fileNames
  return fileCount > 1 ? `${first} and ${countText(fileCount - 1, 'more file')}` : first
}
