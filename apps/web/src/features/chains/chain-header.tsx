import type { Chain } from '@catenary/contracts'
import { ArrowLeftIcon, CopyPlusIcon, EllipsisIcon, PencilIcon, Trash2Icon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { PageHeader } from '../../components/page-header.tsx'
import { Button } from '../../components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '../../components/ui/dropdown-menu.tsx'
import { toast } from '../../components/ui/toast.tsx'
import { Hint } from '../../components/ui/tooltip.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { useSession } from '../../lib/session.tsx'
import { useAriaKeys } from '../../lib/shortcuts.ts'
import { useDuplicateChain } from './chains.queries.ts'
import { ShareState } from './share-state.tsx'

export interface ChainHeaderProps {
  chain: Chain
  onEdit: () => void
  onDelete: () => void
  onDuplicated: (id: number) => void
  /** Right in the row. */
  actions: ReactNode
}

/** Name, who sees it, and what can be done with the chain as a whole. */
export function ChainHeader({ chain, onEdit, onDelete, onDuplicated, actions }: ChainHeaderProps) {
  const { user } = useSession()
  const { mutate, isPending } = useDuplicateChain()
  const editKeys = useAriaKeys('edit')
  const duplicate = () =>
    mutate(chain.id, {
      onSuccess: ({ id }) => {
        toast({ title: 'Chain created', description: 'Your chain has been created successfully.' })
        onDuplicated(id)
      },
      onError: (error) => toast({ title: 'Error', description: errorMessage(error), variant: 'destructive' }),
    })
  return (
    <PageHeader
      title={<span title={chain.name}>{chain.name}</span>}
      start={
        <Button variant="ghost" size="icon" asChild className="-ml-1.5 max-md:ml-0">
          <Link href="/chains" aria-label="Back to the chains">
            <ArrowLeftIcon />
          </Link>
        </Button>
      }
      badges={
        <>
          <ShareState chain={chain} />
          <div className="flex shrink-0 items-center">
            <AllowedButton
              label="Edit chain"
              reason="You don't have permission to edit this chain"
              allowed={chain.canEdit}
              keys={editKeys}
              onClick={onEdit}
            >
              <PencilIcon />
            </AllowedButton>
            <AllowedButton
              label="Delete chain"
              reason="You don't have permission to delete this chain"
              allowed={chain.canDelete}
              onClick={onDelete}
            >
              <Trash2Icon />
            </AllowedButton>
            {user && (
              <DropdownMenu>
                <DropdownMenuTrigger asChild>
                  <Button
                    variant="ghost"
                    size="icon-sm"
                    aria-label="More about this chain"
                    pending={isPending}
                  >
                    {!isPending && <EllipsisIcon />}
                  </Button>
                </DropdownMenuTrigger>
                <DropdownMenuContent align="start">
                  <DropdownMenuItem onSelect={duplicate}>
                    <CopyPlusIcon />
                    Duplicate chain
                  </DropdownMenuItem>
                </DropdownMenuContent>
              </DropdownMenu>
            )}
          </div>
        </>
      }
      action={actions}
    />
  )
}

/** Stays in its place for who may not use it, and says so. */
function AllowedButton({
  label,
  reason,
  allowed,
  keys,
  onClick,
  children,
}: {
  label: string
  reason: string
  allowed: boolean
  keys?: string | undefined
  onClick: () => void
  children: ReactNode
}) {
  return (
    <Hint text={allowed ? label : reason}>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={label}
        aria-disabled={!allowed || undefined}
        aria-keyshortcuts={allowed ? keys : undefined}
        onClick={() => allowed && onClick()}
      >
        {children}
      </Button>
    </Hint>
  )
}
