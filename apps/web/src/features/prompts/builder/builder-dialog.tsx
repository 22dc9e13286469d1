import { SparklesIcon } from 'lucide-react'
import { type ReactNode, type Ref, useRef, useState } from 'react'
import { CopyButton } from '../../../components/copy/copy-button.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { PromptEditor } from '../../../components/prompt-editor/prompt-editor.tsx'
import type { EditorVariable } from '../../../components/prompt-editor/prompt-editor-completion.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Textarea } from '../../../components/ui/textarea.tsx'
import { useEditorVariables } from '../../variables/use-editor-variables.ts'
import { toastCopied } from '../prompt-actions.ts'
import { type BuilderInput, generate } from './builder-form.ts'

export interface BuilderDialogProps {
  values: BuilderInput
  onChange: (values: BuilderInput) => void
  onAccept: (content: string) => void
  onCancel: () => void
}

export function BuilderDialog({ values, onChange, onAccept, onCancel }: BuilderDialogProps) {
  const variables = useEditorVariables() ?? []
  const [isAsked, setIsAsked] = useState(false)
  const task = useRef<HTMLTextAreaElement>(null)
  const preview = useRef<HTMLElement>(null)
  const generated = generate(values)
  const problem = 'problem' in generated ? generated.problem : undefined

  const withPrompt = (use: (text: string) => void) => {
    setIsAsked(true)
    if ('text' in generated) return use(generated.text)
    task.current?.focus()
  }
  const fieldOf = (name: keyof BuilderInput) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...values, [name]: target.value }),
  })
  return (
    <FormDialog
      onClose={onCancel}
      title="Advanced Prompt Builder"
      description="Fill in what matters; only the task is required."
      submitLabel="Accept Prompt"
      onSubmit={() => withPrompt(onAccept)}
      className="w-[90vw] max-w-[1180px]"
    >
      <div className="grid items-start gap-4 md:grid-cols-2 lg:gap-5">
        <div className="grid min-w-0 content-start gap-3">
          <Card label="Core Task" error={isAsked ? problem : undefined}>
            <Textarea
              ref={task}
              rows={3}
              aria-required="true"
              placeholder="What the AI should do, and with what: Review the change in $<diff>"
              {...fieldOf('aiTask')}
            />
          </Card>
          <Card label="User Preferences">
            <TemplateChips
              preferences={values.userPrefs}
              onChange={(userPrefs) => onChange({ ...values, userPrefs })}
            />
            <Textarea
              rows={2}
              placeholder="How you want it done. Templates help you start."
              {...fieldOf('userPrefs')}
            />
          </Card>
          <Card label="Coding Standards">
            <Textarea rows={2} placeholder="Languages, style, tests, limits" {...fieldOf('standards')} />
          </Card>
          <Card label="Error Handling">
            <Textarea
              rows={2}
              placeholder="What to do about bad input, uncertainty and failures"
              {...fieldOf('errorHandling')}
            />
          </Card>
          <Card label="Feedback Requirements">
            <Textarea
              rows={2}
              placeholder="What to report back, and in which form"
              {...fieldOf('feedback')}
            />
          </Card>
          <Button
            variant="secondary"
            onClick={() => withPrompt(() => showPreview(preview.current))}
            className="justify-self-start max-md:w-full"
          >
            <SparklesIcon />
            Generate Prompt
          </Button>
        </div>
        <BuilderPreview
          ref={preview}
          text={'text' in generated ? generated.text : ''}
          variables={variables}
        />
      </div>
    </FormDialog>
  )
}

interface CardProps {
  label: string
  error?: string | undefined
  children: ReactNode
}

function Card({ label, error, children }: CardProps) {
  return (
    <section aria-label={label} className="rounded-card border border-line p-3">
      <Field
        label={<span className="font-medium text-text">{label}</span>}
        error={error}
        className="[&_textarea]:max-h-60 [&_textarea]:min-h-14"
      >
        {children}
      </Field>
    </section>
  )
}

interface TemplateChipsProps {
  preferences: string
  onChange: (preferences: string) => void
}

function TemplateChips({ preferences, onChange }: TemplateChipsProps) {
  return (
    <fieldset className="flex flex-wrap gap-1.5 pointer-coarse:gap-y-3">
      <legend className="sr-only">Templates</legend>
      {BUILDER_TEMPLATES.map(({ name, text }) => (
        <button
          key={name}
          type="button"
          aria-pressed={preferences.includes(text)}
          onClick={() => onChange(toggleTemplate({ preferences, text }))}
          className="relative h-6 rounded-control border border-line px-2 text-xs text-text-2 transition-colors hover:bg-hover aria-pressed:border-accent/40 aria-pressed:bg-accent-soft aria-pressed:text-accent-text pointer-coarse:h-8 pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-[7px]"
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}

/** Stacked on a phone the prompt may be out of sight. */
function showPreview(preview: HTMLElement | null): void {
  preview?.scrollIntoView?.({ block: 'nearest' })
  preview?.focus({ preventScroll: true })
}

interface BuilderPreviewProps {
  text: string
  variables: readonly EditorVariable[]
  ref: Ref<HTMLElement>
}

function BuilderPreview({ text, variables, ref }: BuilderPreviewProps) {
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label="Generated Prompt"
      className="grid min-w-0 gap-2 rounded-card border border-line bg-inset p-3 md:sticky md:top-0"
    >
      <header className="flex h-7 items-center justify-between gap-2 pointer-coarse:h-11">
        <h3 className="text-sm font-medium tracking-normal">Generated Prompt</h3>
        <CopyButton text={text} disabled={text === ''} showLabel onCopied={toastCopied} className="-mr-1.5" />
      </header>
      {text === '' ? (
        <p className="grid min-h-52 place-items-center rounded-control md:min-h-[min(460px,calc(100dvh-300px))] border border-dashed border-line px-8 text-center text-sm text-text-3">
          Describe the task, and the prompt is written here as you type.
        </p>
      ) : (
        <PromptEditor
          label="Text of the generated prompt"
          value={text}
          onChange={() => undefined}
          variables={variables}
          readOnly
          className="min-h-52 md:min-h-[min(440px,calc(100dvh-320px))] md:[&_.cm-editor]:max-h-[calc(100dvh-290px)]!"
        />
      )}
    </section>
  )
}

export const BUILDER_TEMPLATES = [
  {
    name: 'Decision Confirmation',
    text: [
      'Before any decision that changes scope, structure, data or cost, stop and ask me.',
      'State the decision, give two or three options with what each gains and gives up, say which one you recommend and why, then wait for my answer.',
      'Settle small, reversible details yourself and list them at the end.',
    ].join(' '),
  },
  {
    name: 'Code Standards Enforcement',
    text: [
      'Follow the conventions that the project already has for names, structure, formatting and errors: read the neighbouring code before you write any.',
      'Keep functions small and typed, add no dependency and no dead code, and cover every change with a test.',
      'Before you finish, run the formatter, the linter, the type checker and the tests, and report what each of them said. If a rule has to be broken, say which one and why.',
    ].join(' '),
  },
  {
    name: 'Performance Optimization',
    text: [
      'Treat speed and memory as requirements. Measure before you change anything, and name the figure, the tool and the starting value.',
      'Take the largest cost first: needless work, repeated queries, extra copies, blocking calls. State how the time and memory of what you write grow with its input.',
      'Show the figures before and after, and keep the clearer version where the gain is within the noise.',
    ].join(' '),
  },
  {
    name: 'No Workarounds',
    text: [
      'Fix the cause, not the symptom. No hard-coded special cases, silenced errors, skipped tests, retries that hide a fault, or notes to do it properly later.',
      'If the proper solution is out of reach, stop, explain what stands in its way and what it would take, and do not work around it.',
    ].join(' '),
  },
] as const

/** The preferences with that instruction added, or without it if they hold it already. */
function toggleTemplate({ preferences, text }: { preferences: string; text: string }): string {
  const rest = preferences.trim()
  if (!rest.includes(text)) return rest === '' ? text : `${rest}\n\n${text}`
  return rest
    .replace(text, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
