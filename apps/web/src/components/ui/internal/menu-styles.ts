/** It disappears at once: anything still visible would still take keys. */
export const floatingSurface =
  'z-50 rounded-card border border-line bg-surface text-text shadow-float data-[state=open]:animate-rise'

export const menuItem =
  'relative flex min-h-8 cursor-default items-center gap-2 rounded-[6px] px-2 py-1 text-sm outline-none select-none data-[highlighted]:bg-hover data-[disabled]:pointer-events-none data-[disabled]:opacity-65 pointer-coarse:min-h-11 [&_svg]:shrink-0 [&_svg:not([class*=size-])]:size-4'

export const menuLabel = 'px-2 pt-1.5 pb-1 text-xs font-medium text-text-3'
