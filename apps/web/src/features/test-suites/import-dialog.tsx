import { type ImportReport, type ImportTestSuiteRequest, TEST_IMPORT_MAX } from '@catenary/contracts'
import { FileUpIcon } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { SuiteDialog } from './suite-dialog.tsx'
import { type TestedRecord, useImportSuite } from './test-suites.queries.ts'

export interface ImportDialogProps {
  record: TestedRecord
  onMade: (id: number) => void
  onClose: () => void
}

interface ChosenFile {
  name: string
  text: string
}

export default function ImportDialog({ record, onMade, onClose }: ImportDialogProps) {
  const [file, setFile] = useState<ChosenFile>({ name: '', text: '' })
  const [report, setReport] = useState<ImportReport | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const importing = useImportSuite(record)
  const choose = (chosen: ChosenFile) => {
    setFile(chosen)
    setReport(null)
    setProblem(null)
  }
  const submit = async () => {
    const dryRun = report === null
    const made = await importing.mutateAsync({ ...requestOf(file), dryRun })
    if (made.suite === null) setReport(made)
    else {
      onMade(made.suite.id)
      onClose()
    }
    setProblem(null)
  }
  return (
    <SuiteDialog
      title="Import tests"
      description="A promptfoo configuration as YAML or JSON, or a CSV with one column per value."
      onSubmit={submit}
      onProblem={setProblem}
      onClose={onClose}
      submitLabel={report ? 'Import Suite' : 'Check File'}
      pendingLabel={report ? 'Importing...' : 'Checking...'}
      pending={importing.isPending}
      submitDisabled={file.text === ''}
      error={problem}
      dirty={file.text !== ''}
      className="max-w-[640px]"
    >
      <FileField file={file} onChoose={choose} onProblem={setProblem} />
      {report && <Report report={report} />}
    </SuiteDialog>
  )
}

function requestOf({ name, text }: ChosenFile): ImportTestSuiteRequest {
  const isTable = name === '' ? looksLikeTable(text) : name.toLowerCase().endsWith('.csv')
  return { text, format: isTable ? 'csv' : 'promptfoo' }
}

/** What is pasted has no name: a table begins with its columns. */
function looksLikeTable(text: string): boolean {
  const [first = ''] = text.trimStart().split('\n')
  return first.includes(',') && !/:(\s|$)|^[[{#-]/.test(first)
}

interface FileFieldProps {
  file: ChosenFile
  onChoose: (file: ChosenFile) => void
  onProblem: (problem: string) => void
}

function FileField({ file, onChoose, onProblem }: FileFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const take = async (chosen: File | undefined) => {
    if (chosen === undefined) return
    if (chosen.size > TEST_IMPORT_MAX) onProblem(`A file can be at most ${TEST_IMPORT_MAX / 1_000_000} MB`)
    else onChoose({ name: chosen.name, text: await chosen.text() })
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void take(event.dataTransfer.files[0])
  }
  return (
    <Field
      label="File"
      hint={file.name === '' ? 'Drop a file here, or paste its text.' : file.name}
      action={
        <Button variant="ghost" size="sm" onClick={() => input.current?.click()}>
          <FileUpIcon />
          Choose a file
        </Button>
      }
    >
      <Textarea
        rows={6}
        spellCheck={false}
        placeholder="tests:&#10;  - vars: { topic: tea }&#10;    assert: [{ type: icontains, value: tea }]"
        value={file.text}
        onChange={(event) => onChoose({ name: file.name, text: event.target.value })}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
        className="max-h-60 font-mono text-xs"
      />
      <input
        ref={input}
        type="file"
        aria-label="Choose a file"
        accept=".yaml,.yml,.json,.csv"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => void take(event.target.files?.[0])}
      />
    </Field>
  )
}

function Report({
  report: { name, caseCount, assertionCount, notRun, notRunCount },
}: {
  report: ImportReport
}) {
  return (
    <section aria-label="What the file contains" role="status" className="grid gap-2">
      <p className="text-sm">
        <span dir="auto" className="font-medium wrap-anywhere">
          {name}
        </span>
        : {count(caseCount, 'test')} with {count(assertionCount, 'assertion')}
        {notRunCount > 0 &&
          `, and ${count(notRunCount, 'thing')} that are kept and exported again, but not run`}
        .
      </p>
      {notRun.length > 0 && (
        <ul className="grid max-h-52 gap-1 overflow-y-auto rounded-control bg-inset px-3 py-2 text-sm text-text-2">
          {notRun.map(({ at, reason }) => (
            <li key={`${at} ${reason}`} className="wrap-anywhere">
              <span className="font-mono text-xs">{at}</span> · {reason}
            </li>
          ))}
          {notRunCount > notRun.length && <li>and {notRunCount - notRun.length} more</li>}
        </ul>
      )}
    </section>
  )
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}
