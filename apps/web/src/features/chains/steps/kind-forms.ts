import type { StepKind } from '@catenary/contracts'
import { askKind } from './ask/ask-kind.ts'
import type { KindForm } from './kind-form.ts'
import { promptKind } from './prompt/prompt-kind.ts'
import { DEFAULT_KIND } from './step-input.ts'
import { stopKind } from './stop/stop-kind.ts'
import { toolKind } from './tool/tool-kind.ts'

/** How each kind of step is filled in, in the order in which conflicts and versions name what is a kind's own. */
export const KIND_FORMS = {
  prompt: promptKind,
  tool: toolKind,
  stop: stopKind,
  ask: askKind,
} satisfies Record<StepKind, KindForm>

/** The same to be gone through. */
export const EACH_FORM: readonly KindForm[] = Object.values(KIND_FORMS)

export function kindFormOf({ kind = DEFAULT_KIND }: { kind?: StepKind | undefined }): KindForm {
  return KIND_FORMS[kind]
}
