import { cn } from '../../lib/utils.ts'

export function Kbd({ className, children }: { className?: string; children: string }) {
  return (
    <span
      aria-hidden="true"
      // Drawn by the style sheet, so that no button's visible words differ from its name.
      data-key={children}
      className={cn(
        'inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-[4px] border border-current/35 px-1',
        'text-2xs leading-none font-normal text-current before:content-[attr(data-key)] pointer-coarse:hidden',
        className,
      )}
    />
  )
}
