import {
  BotIcon,
  FolderGit2Icon,
  LinkIcon,
  type LucideIcon,
  MessageSquareTextIcon,
  PlusIcon,
  SparklesIcon,
} from 'lucide-react'
import { useState } from 'react'
import { ShortcutKeys } from '../../../components/shortcut-keys.tsx'
import { Button } from '../../../components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '../../../components/ui/dropdown-menu.tsx'
import { useAriaKeys } from '../../../lib/keyboard/shortcuts.ts'
import { useShortcut } from '../../../lib/keyboard/use-shortcut.ts'
import { KIND_TEXTS, type TokenFormKind } from '../token-texts.ts'
import { KIND_PURPOSES } from './connect-texts.ts'

export const KIND_ICONS: Record<TokenFormKind, LucideIcon> = {
  mcp: BotIcon,
  read: MessageSquareTextIcon,
  chain: LinkIcon,
  best: SparklesIcon,
  folder: FolderGit2Icon,
}
export const KINDS = ['mcp', 'read', 'chain', 'best', 'folder'] as const satisfies readonly TokenFormKind[]

export function CreateTokenMenu({ onCreate }: { onCreate: (kind: TokenFormKind) => void }) {
  const [isOpen, setIsOpen] = useState(false)
  const keys = useAriaKeys('create')
  useShortcut({ id: 'create', onPress: () => setIsOpen(true) })
  return (
    <DropdownMenu open={isOpen} onOpenChange={setIsOpen}>
      <DropdownMenuTrigger>
        <Button aria-label="Create Token" aria-keyshortcuts={keys}>
          <PlusIcon />
          <span className="max-md:hidden">Create Token</span>
          <ShortcutKeys id="create" className="max-md:hidden" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="w-[340px] max-w-[calc(100vw-16px)]">
        {KINDS.map((kind) => {
          const Icon = KIND_ICONS[kind]
          return (
            <DropdownMenuItem key={kind} onSelect={() => onCreate(kind)} className="h-auto items-start py-2">
              <Icon className="mt-0.5" />
              <span className="grid min-w-0 gap-0.5">
                <span className="font-medium text-text">{KIND_TEXTS[kind].name} token</span>
                <span className="text-xs whitespace-normal text-text-3">{KIND_PURPOSES[kind]}</span>
              </span>
            </DropdownMenuItem>
          )
        })}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
