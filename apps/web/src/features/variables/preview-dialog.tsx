import type { ListedVariable } from '@catenary/contracts'
import { variablePlaceholder } from '@catenary/domain'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { PencilIcon, RefreshCwIcon } from 'lucide-react'
import { Button } from '../../components/ui/button.tsx'
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from '../../components/ui/dialog.tsx'
import { errorReason } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import { AttachmentFacts } from '../files/thumbnail.tsx'
import { TagChip } from '../library/tags/tag-chip.tsx'
import { Visibility } from '../records/shares/visibility.tsx'
import { variableFile } from './media-variables.ts'
import { useFetchApi, variablePreviewQuery } from './sources/variable-sources.queries.ts'
import { VariableContent } from './variable-content.tsx'
import { VariableTypeIcon, variablePreview } from './variable-kind.tsx'

export interface PreviewDialogProps {
  variable: ListedVariable
  isGuest: boolean
  onEdit: () => void
  onClose: () => void
}

export function PreviewDialog({ variable, isGuest, onEdit, onClose }: PreviewDialogProps) {
  const { id, name, type, tags, attachment, revision, canEdit, isPublic } = variable
  const { data, error, isFetching } = useQuery(variablePreviewQuery(id))
  const source = type === 'text' ? '' : variablePreview(variable)
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent aria-describedby="variable-preview-source" className="max-w-[640px]">
        <DialogHeader>
          <DialogTitle className="truncate font-mono">{name}</DialogTitle>
          <DialogDescription asChild>
            <div
              id="variable-preview-source"
              className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-text-3"
            >
              <span className="flex items-center gap-1.5">
                <VariableTypeIcon type={type} className="size-3.5" />
                {type}
              </span>
              <Visibility isPublic={isPublic} />
              {tags.map((tag) => (
                <TagChip key={tag.id} tag={tag} />
              ))}
              {source !== '' && <span className="w-full truncate">{source}</span>}
            </div>
          </DialogDescription>
        </DialogHeader>
        <DialogBody>
          {attachment && <AttachmentFacts attachment={attachment} src={variableFile({ id, revision })} />}
          <VariableContent
            title="Preview"
            placeholder={isFetching ? variablePlaceholder(variable) : 'Empty'}
            content={data?.preview === '' ? undefined : data?.preview}
            problem={error ? errorReason(error) : (data?.error ?? null)}
            view={type === 'text' ? 'source' : 'rendered'}
          />
        </DialogBody>
        {(canEdit || (type === 'api' && !isGuest)) && (
          <DialogFooter>
            {type === 'api' && !isGuest && <FetchButton variable={variable} />}
            {canEdit && (
              <Button variant="secondary" onClick={onEdit}>
                <PencilIcon />
                Edit
              </Button>
            )}
          </DialogFooter>
        )}
      </DialogContent>
    </Dialog>
  )
}

function FetchButton({ variable: { id, name, apiUrl } }: { variable: ListedVariable }) {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useFetchApi()
  const fetchNow = () =>
    mutate(
      { id, apiUrl },
      {
        onSuccess: ({ content }) => {
          queryClient.setQueryData(variablePreviewQuery(id).queryKey, { preview: content })
          const description = `Successfully fetched content for ${name}`
          toast({ title: 'Variable Content Fetched', description })
        },
        onError: (error) => {
          const description = `Failed to fetch variable content: ${errorReason(error)}`
          toast({ title: 'Error', description, variant: 'destructive' })
        },
      },
    )
  return (
    <Button variant="secondary" pending={isPending} onClick={fetchNow}>
      {!isPending && <RefreshCwIcon />}
      Fetch API
    </Button>
  )
}
