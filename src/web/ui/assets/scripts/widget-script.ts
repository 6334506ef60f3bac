// The widget's own script element, whose attributes are its settings. Browsers tell a script of it only while it first runs.

export const script = document.currentScript as HTMLScriptElement
