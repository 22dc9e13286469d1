import { TEST_NAME_MAX } from '@catenary/contracts'
import { useState } from 'react'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { SuiteDialog } from './suite-dialog.tsx'
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
    onMade((await create.mutateAsync(name)).id)
    onClose()
  }
  return (
    <SuiteDialog
      title="New test suite"
      onSubmit={submit}
      onProblem={setProblem}
      onClose={onClose}
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
    </SuiteDialog>
  )
}
