import { createContext, type ReactNode } from 'react'

/** The frame's menu button, which a page's header shows on phones. */
export const FrameMenuContext = createContext<ReactNode>(null)
