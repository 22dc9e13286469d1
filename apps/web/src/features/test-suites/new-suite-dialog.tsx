import { TEST_NAME_MAX } from '@catenary/contracts'
import { useState } from 'react'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { errorReason } from '../../lib/errors.ts'
import { type TestedRecord, useCreateSuite } from './test-suites.queries.ts'

export interface NewSuiteDialogProps {
  record: TestedRecord
  onMade: (id: number) => void
  onClose: () => void
}

/** A suite begins with its name. */
export default function NewSuiteDialog({ record, onMade, onClose }: NewSuiteDialogProps) {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const create = useCreateSuite(record)
  const submit = async () => {
    if (name.trim() === '') {
      setProblem('Name is required')
      return
    }
    try {
      onMade((await create.mutateAsync(name)).id)
      onClose()
    } catch (error) {
      setProblem(errorReason(error))
    }
  }
  return (
    <FormDialog
      open
      onOpenChange={(open) => open || onClose()}
      title="New test suite"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      submitLabel="Create Suite"
      pendingLabel="Creating..."
      pending={create.isPending}
      dirty={name !== ''}
    >
      <Field label="Name" error={problem}>
        <Input
          autoComplete="off"
          maxLength={TEST_NAME_MAX}
          placeholder="What users ask most"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
    </FormDialog>
  )
}
