import { createContext, type ReactNode } from 'react'

export const FrameMenuContext = createContext<ReactNode>(null)
export const FrameStripContext = createContext<ReactNode>(null)
