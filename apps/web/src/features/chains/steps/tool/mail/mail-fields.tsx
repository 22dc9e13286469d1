import { useQuery } from '@tanstack/react-query'
import { MailXIcon } from 'lucide-react'
import { FormEditor } from '../../../../../components/prompt-editor/form-editor.tsx'
import { Banner } from '../../../../../components/ui/banner.tsx'
import { Field } from '../../../../../components/ui/field.tsx'
import { mailStateQuery } from '../../../../accounts/mail-state.queries.ts'
import type { KindFieldsProps } from '../../kind-form.ts'

/** Whom an email goes to, and what it says. */
export function MailFields({ form, templates }: KindFieldsProps) {
  const { control, formState } = form
  const { errors } = formState
  const { data: mail } = useQuery(mailStateQuery)
  return (
    <>
      {mail && !mail.isSetUp && (
        <Banner role="note" icon={<MailXIcon className="self-start" />}>
          Mail is not set up on this server, so a run would fail at this step.
        </Banner>
      )}
      <Field
        label="To"
        action={<span className="text-xs text-text-3">comma separated</span>}
        hint={
          errors.mailTo
            ? null
            : 'Each gets an email of their own. A reference alone stands for one address; a run that uses private values mails only addresses that are written out.'
        }
        error={errors.mailTo?.message}
      >
        <FormEditor
          control={control}
          name="mailTo"
          label="To"
          {...templates}
          isOneLine
          placeholder="team@example.org"
        />
      </Field>
      <Field label="Subject" error={errors.mailSubject?.message}>
        <FormEditor control={control} name="mailSubject" label="Subject" {...templates} isOneLine />
      </Field>
      <Field
        label="Text"
        hint="Markdown. Below it stand who runs the chain and, for others, a link to get no more of them."
        error={errors.mailText?.message}
      >
        <FormEditor
          control={control}
          name="mailText"
          label="Text"
          {...templates}
          isForModel={false}
          className="min-h-24"
        />
      </Field>
    </>
  )
}
