import type { Ref } from 'react'
import { CopyButton } from '../../../components/copy/copy-button.tsx'
import { PromptEditor } from '../../../components/prompt-editor/prompt-editor.tsx'
import type { EditorVariable } from '../../../components/prompt-editor/prompt-editor-completion.ts'
import { toastCopied } from '../prompt-actions.ts'

export interface BuilderPreviewProps {
  /** Empty while the task is missing. */
  text: string
  variables: readonly EditorVariable[]
  ref: Ref<HTMLElement>
}

/** The generated prompt as it would be accepted, or what is needed for one. */
export function BuilderPreview({ text, variables, ref }: BuilderPreviewProps) {
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
