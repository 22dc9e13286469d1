import { EllipsisIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from './ui/button.tsx'
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from './ui/dropdown-menu.tsx'

export interface MoreMenuProps extends Omit<ComponentProps<typeof Button>, 'aria-label'> {
  /** Whose menu it is, by the name that people see. */
  of: string
  align?: 'start' | 'end'
}

export function MoreMenu({ of, align = 'end', pending = false, children, ...props }: MoreMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger>
        <Button variant="ghost" size="icon-sm" aria-label={`More: ${of}`} pending={pending} {...props}>
          {!pending && <EllipsisIcon />}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align={align}>{children}</DropdownMenuContent>
    </DropdownMenu>
  )
}
