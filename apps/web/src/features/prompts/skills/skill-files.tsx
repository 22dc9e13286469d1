import { PlusIcon, XIcon } from 'lucide-react'
import { useId } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { PromptPicker } from '../prompt-picker.tsx'

export interface SkillFile {
  key: number
  path: string
  source: { variable: string } | { prompt: FilePrompt | null }
}

interface FilePrompt {
  id: number
  /** Null: the person can't see it. */
  title: string | null
}

export interface SkillFilesProps {
  files: readonly SkillFile[]
  onChange: (files: readonly SkillFile[]) => void
  onAdd: (source: SkillFile['source']) => void
}

export function SkillFiles({ files, onChange, onAdd }: SkillFilesProps) {
  const headingId = useId()
  const change = (key: number, fields: Partial<SkillFile>) =>
    onChange(files.map((file) => (file.key === key ? { ...file, ...fields } : file)))
  return (
    <section aria-labelledby={headingId} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 id={headingId} className="text-sm font-medium">
          Files beside SKILL.md
        </h3>
        <div className="flex flex-wrap justify-end gap-1">
          <Button type="button" variant="ghost" size="sm" onClick={() => onAdd({ prompt: null })}>
            <PlusIcon />
            Add prompt
          </Button>
          <Button type="button" variant="ghost" size="sm" onClick={() => onAdd({ variable: '' })}>
            <PlusIcon />
            Add variable
          </Button>
        </div>
      </div>
      {files.length === 0 && (
        <p className="text-sm text-text-3">
          No files yet. A file’s content comes from a prompt, or from a text or file variable.
        </p>
      )}
      {files.length > 0 && (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {files.map((file, index) => (
            <li key={file.key} className="flex min-w-0 flex-wrap items-center gap-2">
              <Input
                aria-label={`Path of file ${index + 1}`}
                placeholder="references/style.md"
                autoComplete="off"
                value={file.path}
                onChange={({ target }) => change(file.key, { path: target.value })}
                className="min-w-0 flex-1 basis-[180px] font-mono text-xs"
              />
              {'variable' in file.source ? (
                <Input
                  aria-label={`Variable of file ${index + 1}`}
                  placeholder="house_style"
                  autoComplete="off"
                  value={file.source.variable}
                  onChange={({ target }) => change(file.key, { source: { variable: target.value } })}
                  className="min-w-0 flex-1 basis-[140px] font-mono text-xs"
                />
              ) : (
                <Field
                  label={`Prompt of file ${index + 1}`}
                  hideLabel
                  className="min-w-0 flex-1 basis-[140px] gap-0"
                >
                  <PromptPicker
                    value={file.source.prompt?.id ?? null}
                    linkedTitle={file.source.prompt?.title ?? 'a prompt that you can’t see'}
                    none={{ title: 'Choose a prompt', isChoice: false }}
                    onChange={(prompt) => change(file.key, { source: { prompt } })}
                  />
                </Field>
              )}
              <Button
                type="button"
                variant="ghost"
                size="icon"
                aria-label={`Remove file ${index + 1}`}
                onClick={() => onChange(files.filter(({ key }) => key !== file.key))}
              >
                <XIcon />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
