import { chosenSlug } from '@catenary/contracts'
import { type ComponentProps, useState } from 'react'
import * as z from 'zod'
import { Fold } from '../../components/forms/fold.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { apiPath } from '../../lib/api.ts'

/** A slug in a form; of a new record, where it is empty, the server makes one. */
export const slugField = z.string().superRefine((text, context) => {
  const [issue] = (text === '' ? undefined : chosenSlug.safeParse(text).error?.issues) ?? []
  if (issue) context.addIssue({ code: 'custom', message: issue.message })
})

export interface SlugFieldProps extends ComponentProps<'input'> {
  kind: 'prompt' | 'chain'
  stored: string
  error: string | undefined
  /** Whether the person owns the record: nobody else changes what it is called. */
  isOwn: boolean
}

export function SlugField({ kind, stored, error, isOwn, ...props }: SlugFieldProps) {
  const [isOpened, setIsOpened] = useState(false)
  const isOpen = isOpened || error !== undefined
  return (
    <Fold label="Advanced" isOpen={isOpen} onOpenChange={setIsOpened}>
      <Field
        label="Slug"
        error={error}
        hint={
          <>
            {kind === 'prompt' ? 'Code fetches it at ' : 'Code calls it as the model '}
            <code className="wrap-anywhere text-text-2">
              {kind === 'prompt'
                ? apiPath('GET /api/public/v2/prompts/{name}', { params: { name: stored } })
                : stored}
            </code>
            . {isOwn ? 'Lowercase letters, digits and hyphens.' : 'Only its owner can change it.'} Earlier
            slugs keep working.
          </>
        }
      >
        <Input
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={!isOwn}
          className="font-mono text-xs"
          {...props}
        />
      </Field>
    </Fold>
  )
}
