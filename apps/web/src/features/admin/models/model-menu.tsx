import type { ManagedModel, ModelProvider } from '@catenary/contracts'
import { ArrowDownIcon, ArrowUpIcon, CoinsIcon, PencilIcon, PowerIcon, Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { MoreMenu } from '../../../components/more-menu.tsx'
import { DropdownMenuItem } from '../../../components/ui/dropdown-menu.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { DeleteModelDialog } from './delete-model-dialog.tsx'
import { EditModelDialog } from './edit-model-dialog.tsx'
import { reordered } from './model-texts.ts'
import { useUpdateModels } from './models.queries.ts'
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
      <MoreMenu aria-label={`More about ${alias}`} pending={update.isPending}>
        <DropdownMenuItem onSelect={() => setOpened('edit')}>
          <PencilIcon />
          Edit
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => setOpened('prices')}>
          <CoinsIcon />
          Prices from now on
        </DropdownMenuItem>
        <DropdownMenuItem
          onSelect={() => change([{ id, isEnabled: !isEnabled }], `${alias} is ${isEnabled ? 'off' : 'on'}`)}
        >
          <PowerIcon />
          {isEnabled ? 'Switch off' : 'Switch on'}
        </DropdownMenuItem>
        <DropdownMenuItem disabled={place <= 0} onSelect={() => move(-1)}>
          <ArrowUpIcon />
          Earlier in lists
        </DropdownMenuItem>
        <DropdownMenuItem disabled={place === all.length - 1} onSelect={() => move(1)}>
          <ArrowDownIcon />
          Later in lists
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
