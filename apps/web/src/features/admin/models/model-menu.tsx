import type { ManagedModel, ModelProvider } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ArrowDownIcon, ArrowUpIcon, CoinsIcon, PencilIcon, PowerIcon, Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { MoreMenu } from '../../../components/more-menu.tsx'
import { DropdownMenuItem } from '../../../components/ui/dropdown-menu.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { EditModelDialog } from './edit-model-dialog.tsx'
import type { ModelDialogProps } from './model-dialog.ts'
import { reordered, sentencesOfUse } from './model-texts.ts'
import { modelUseQuery, useDeleteModel, useUpdateModels } from './models.queries.ts'
import { PricesDialog } from './prices-dialog.tsx'

const DIALOGS = { edit: EditModelDialog, prices: PricesDialog, delete: DeleteModelDialog }

interface ModelMenuProps {
  model: ManagedModel
  provider: ModelProvider
  all: readonly ManagedModel[]
}

export function ModelMenu({ model, provider, all }: ModelMenuProps) {
  const { id, alias, isEnabled, isFromEnvironment } = model
  const [opened, setOpened] = useState<keyof typeof DIALOGS>()
  const update = useUpdateModels()
  const Dialog = opened && DIALOGS[opened]
  const place = all.findIndex((one) => one.id === id)
  const change = (changes: Parameters<typeof update.mutate>[0], title: string) =>
    update.mutate(changes, {
      onSuccess: () => toast({ title }),
      onError: (error) =>
        toast({
          title: `Failed to change ${alias}`,
          description: errorReason(error),
          variant: 'destructive',
        }),
    })
  const move = (by: -1 | 1) =>
    change(reordered({ models: all, id, by }), `${alias} is now number ${place + by + 1} of ${all.length}`)
  return (
    <>
      <MoreMenu of={alias} pending={update.isPending}>
        <DropdownMenuItem onSelect={() => setOpened('edit')}>
          <PencilIcon />
          Edit
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => setOpened('prices')}>
          <CoinsIcon />
          Change prices
        </DropdownMenuItem>
        <DropdownMenuItem
          onSelect={() => change([{ id, isEnabled: !isEnabled }], `${alias} is ${isEnabled ? 'off' : 'on'}`)}
        >
          <PowerIcon />
          {isEnabled ? 'Switch off' : 'Switch on'}
        </DropdownMenuItem>
        <DropdownMenuItem disabled={place <= 0} onSelect={() => move(-1)}>
          <ArrowUpIcon />
          Move up in lists
        </DropdownMenuItem>
        <DropdownMenuItem disabled={place === all.length - 1} onSelect={() => move(1)}>
          <ArrowDownIcon />
          Move down in lists
        </DropdownMenuItem>
        {!isFromEnvironment && (
          <DropdownMenuItem variant="destructive" onSelect={() => setOpened('delete')}>
            <Trash2Icon />
            Delete
          </DropdownMenuItem>
        )}
      </MoreMenu>
      {Dialog && <Dialog model={model} provider={provider} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function DeleteModelDialog({ model: { id, alias }, onClose }: ModelDialogProps) {
  const use = useQuery(modelUseQuery(id))
  const { mutate, isPending } = useDeleteModel()
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete ${alias}?`}
      description={
        <>
          <span role="status" className="block">
            {sentencesOfUse(use)}
          </span>
          <span className="mt-2 block">
            Prompts and steps that use it will fail until you choose another model. Earlier runs are not
            affected. You can also switch it off instead.
          </span>
        </>
      }
      pending={isPending}
      onConfirm={() =>
        mutate(id, {
          onSuccess: () => toast({ title: `${alias} was deleted` }),
          onError: (error) =>
            toast({
              title: `Failed to delete ${alias}`,
              description: errorReason(error),
              variant: 'destructive',
            }),
          onSettled: onClose,
        })
      }
    />
  )
}
