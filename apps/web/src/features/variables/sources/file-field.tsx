import { FILE_EXTENSIONS, FILE_MAX_BYTES, type Variable } from '@catenary/contracts'
import { variablePlaceholder } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { FileTextIcon } from 'lucide-react'
import type { UseFormReturn } from 'react-hook-form'
import { Field } from '../../../components/ui/field.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { byteLength, formatBytes } from '../../../lib/text/bytes.ts'
import { toast } from '../../../lib/toast.ts'
import { fileNameOf } from '../../files/attachments.ts'
import { FileLine, FileZone } from '../../files/file-zone.tsx'
import { VariableContent } from '../variable-content.tsx'
import type { VariableForm } from '../variable-fields.tsx'
import { storedContentQuery, useUploadFile } from './variable-sources.queries.ts'

export interface ChosenFile {
  path: string
  content: string
}

export interface FileFieldProps {
  form: UseFormReturn<VariableForm>
  variable: Variable | null
  /** The file that was uploaded in this dialog; null while it is the stored one. */
  chosen: ChosenFile | null
  onChoose: (file: ChosenFile) => void
  onBusyChange: (isBusy: boolean) => void
}

export function FileField({ form, variable, chosen, onChoose, onBusyChange }: FileFieldProps) {
  const path = form.watch('filePath')
  const { content, problem } = useFileContent({ path, variable, chosen })
  const { mutateAsync: upload, isPending } = useUploadFile()
  const error = form.formState.errors.filePath?.message

  const take = async (file: File | undefined) => {
    if (!file || isPending) return
    form.clearErrors('filePath')
    const read = await readTextFile(file)
    if ('problem' in read) return form.setError('filePath', { message: read.problem })
    try {
      const { filePath } = await upload({ fileName: file.name, content: read.content })
      onChoose({ path: filePath, content: read.content })
      form.setValue('filePath', filePath, { shouldDirty: true })
    } catch (error) {
      toast({ title: 'Error uploading file', description: errorReason(error), variant: 'destructive' })
    }
  }
  return (
    <>
      <Field label="File" error={error}>
        <FileZone
          label="File to upload"
          accept={FILE_EXTENSIONS}
          isEmpty={path === ''}
          isPending={isPending}
          isRefused={error !== undefined}
          onTake={take}
          onBusyChange={onBusyChange}
        >
          <FileLine
            icon={<FileTextIcon aria-hidden="true" />}
            title={path === '' ? 'Drag a text file here' : fileNameOf(path)}
            note={
              content === undefined
                ? 'UTF-8 text, at most 1 MiB'
                : `${formatBytes(byteLength(content))} · drag another one here to replace it`
            }
          />
        </FileZone>
      </Field>
      <VariableContent
        title="File content"
        placeholder={variablePlaceholder({ type: 'file' })}
        view="source"
        content={content}
        problem={problem}
      />
    </>
  )
}

interface FileContent {
  content?: string | undefined
  problem?: string | null
}

function useFileContent({
  path,
  variable,
  chosen,
}: {
  path: string
  variable: Variable | null
  chosen: ChosenFile | null
}): FileContent {
  const isStored = variable?.type === 'file' && path !== '' && path === variable.content
  const { data, error } = useQuery({
    ...storedContentQuery({ id: variable?.id ?? 0, revision: variable?.revision ?? 0 }),
    enabled: isStored,
  })
  if (chosen && chosen.path === path) return { content: chosen.content }
  if (!isStored) return {}
  return { content: data?.content, problem: data?.error ?? (error ? errorReason(error) : null) }
}

type ReadFile = { content: string } | { problem: string }

async function readTextFile(file: File): Promise<ReadFile> {
  if (!isText(file)) {
    return { problem: `${file.name} can’t be uploaded. Choose a text file: ${FILE_EXTENSIONS.join(', ')}.` }
  }
  if (file.size > FILE_MAX_BYTES) {
    return { problem: `${file.name} is too large (${formatBytes(file.size)}). The limit is 1 MiB.` }
  }
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const content = decoder.decode(await file.arrayBuffer())
    if (content.includes('\0')) return { problem: `${file.name} is not a text file: it contains NUL bytes.` }
    return { content }
  } catch {
    return { problem: `${file.name} is not UTF-8 text. Save it as UTF-8 and choose it again.` }
  }
}

function isText({ name }: File): boolean {
  return FILE_EXTENSIONS.some((extension) => name.toLowerCase().endsWith(extension))
}
