import type { ImportChoice, ImportOutcome, UndoneImport } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorReason } from '../../lib/errors.ts'
import { type ChosenFile, pastedFile, problemOf, readChosen } from './chosen-files.ts'
import { type Choices, planOf, reportText } from './import-plan.ts'
import { dryRunQuery, readReport, useImport, useUndoImport } from './imports.queries.ts'

interface Options {
  categoryId: number | null
  tag: string | null
  asSkills: boolean
}

export function useImportDialog() {
  const [chosen, setChosen] = useState<{ files: readonly ChosenFile[]; stamp: number }>({
    files: [],
    stamp: 0,
  })
  const [choices, setChoices] = useState<Choices>({})
  const [options, setOptions] = useState<Options>({ categoryId: null, tag: null, asSkills: true })
  const [done, setDone] = useState<ImportOutcome | null>(null)
  const [undone, setUndone] = useState<UndoneImport | null>(null)
  const [passedOver, setPassedOver] = useState<readonly string[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const { files } = chosen
  const { data, error, isFetching, refetch } = useQuery(dryRunQuery(chosen))
  const importing = useImport()
  const undoing = useUndoImport()
  const report = files.length === 0 ? undefined : data

  const take = (next: readonly ChosenFile[]) => {
    const tooMuch = problemOf(next)
    setProblem(tooMuch ?? null)
    if (tooMuch !== undefined) return
    setChosen(({ stamp }) => ({ files: next, stamp: stamp + 1 }))
    // Keys refer to the files as they are now.
    setChoices({})
  }
  const attempt = async (action: () => Promise<void>) => {
    setProblem(null)
    try {
      await action()
    } catch (error) {
      setProblem(errorReason(error))
    }
  }

  return {
    files,
    report,
    isReading: isFetching,
    readError: error,
    retry: () => void refetch(),
    plan: planOf(report?.items ?? [], choices),
    choices,
    options,
    setOptions: (change: Partial<Options>) => setOptions({ ...options, ...change }),
    done,
    undone,
    problem,
    isImporting: importing.isPending,
    isUndoing: undoing.isPending,
    passedOver,
    add: (added: readonly File[]) =>
      attempt(async () => {
        const read = await readChosen(added)
        setPassedOver([...passedOver, ...read.passedOver])
        take([...files, ...read.files])
      }),
    paste: (text: string) => take([...files, pastedFile(text)]),
    remove: (index: number) => take(files.filter((_, each) => each !== index)),
    choose: (keys: readonly string[], choice: ImportChoice) =>
      setChoices({ ...choices, ...Object.fromEntries(keys.map((key) => [key, choice])) }),
    submit: () =>
      attempt(async () => {
        const { categoryId, tag, asSkills } = options
        const body = { files, conflicts: { all: 'skip', items: choices } as const, tag, asSkills }
        setDone(await importing.mutateAsync(categoryId === null ? body : { ...body, categoryId }))
      }),
    undo: (id: number) => attempt(async () => setUndone(await undoing.mutateAsync(id))),
    download: (id: number | null) =>
      attempt(async () => {
        const losses = id === null ? (report?.losses ?? []) : (await readReport(id)).losses
        downloadText({ name: 'import-report.md', text: reportText('What was not imported', losses) })
      }),
  }
}

export type ImportDialogState = ReturnType<typeof useImportDialog>

function downloadText({ name, text }: { name: string; text: string }): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
