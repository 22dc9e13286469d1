import { FILE_EXTENSIONS, type Variable } from '@catenary/contracts'
import { variablePlaceholder } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { FileTextIcon, UploadIcon } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { Button } from '../../../../components/ui/button.tsx'
import { Field } from '../../../../components/ui/field.tsx'
import { errorReason } from '../../../../lib/errors.ts'
import { byteLength, formatBytes } from '../../../../lib/text/bytes.ts'
import { toast } from '../../../../lib/toast.ts'
import { cn } from '../../../../lib/utils.ts'
import { VariableContent } from '../variable-content.tsx'
import type { VariableForm } from '../variable-fields.tsx'
import { fileNameOf, readTextFile } from './variable-file.ts'
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

/** One text file, chosen or dragged in; it is uploaded at once and saved with the form. */
export function FileField({ form, variable, chosen, onChoose, onBusyChange }: FileFieldProps) {
  const path = form.watch('filePath')
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const { content, problem } = useFileContent({ path, variable, chosen })
  const { mutateAsync: upload, isPending } = useUploadFile()
  const error = form.formState.errors.filePath?.message

  useEffect(() => {
    onBusyChange(isPending)
    return () => onBusyChange(false)
  }, [isPending, onBusyChange])

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
  const drag = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setIsOver(false)
      void take(event.dataTransfer.files[0])
    },
  }
  return (
    <>
      <Field label="File" error={error}>
        <div
          {...drag}
          className={cn(
            'flex min-w-0 items-center gap-3 rounded-control border border-dashed border-line-strong p-3 text-sm',
            isOver && 'border-accent bg-accent-soft',
            error && 'border-danger',
          )}
        >
          <FileTextIcon className="size-5 shrink-0 text-text-3" />
          <div className="min-w-0 flex-1">
            <p className={cn('truncate', path === '' && 'text-text-2')}>
              {path === '' ? 'Drag a text file here' : fileNameOf(path)}
            </p>
            <p className="text-xs text-text-3">
              {content === undefined
                ? 'UTF-8 text, at most 1 MiB'
                : `${formatBytes(byteLength(content))} · drag another one here to replace it`}
            </p>
          </div>
          <Button variant="secondary" size="sm" pending={isPending} onClick={() => input.current?.click()}>
            {!isPending && <UploadIcon />}
            {path === '' ? 'Choose a file' : 'Replace'}
          </Button>
          <input
            ref={input}
            type="file"
            aria-label="File to upload"
            tabIndex={-1}
            accept={FILE_EXTENSIONS.join(',')}
            className="sr-only"
            onChange={(event) => {
              void take(event.target.files?.[0])
              // Or choosing the same file once more would be no change.
              event.target.value = ''
            }}
          />
        </div>
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

/** The text of the file that the form names, as far as it is known. */
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
