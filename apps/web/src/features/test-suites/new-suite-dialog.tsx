import { useState } from 'react'
import { NameField } from './case-fields.tsx'
import { SuiteDialog } from './suite-dialog.tsx'
import { type TestedRecord, useCreateSuite } from './test-suites.queries.ts'

export interface NewSuiteDialogProps {
  record: TestedRecord
  onMade: (id: number) => void
  onClose: () => void
}

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
      <NameField value={name} onChange={setName} error={problem} placeholder="What users ask most" />
    </SuiteDialog>
  )
}
