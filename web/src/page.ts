// page: what every page is: something that is shown and, when it is left, stops what it does.

export interface Page {
  name: string; // in the address, behind the #
  title: string;
  show(place: HTMLElement): () => void; // gives what is to be done when the page is left
}

/** Calls back on every frame of the screen with the milliseconds that passed, until stopped. */
export function everyFrame(act: (elapsed: number) => void): () => void {
  let last = performance.now();
  let handle = requestAnimationFrame(function tick(now: number) {
    act(Math.min(250, Math.max(0, now - last)));
    last = now;
    handle = requestAnimationFrame(tick);
  });
  return () => cancelAnimationFrame(handle);
}

/** A page that runs a job: what nobody waits for any more ends, also when the browser leaves. */
export function jobPage(name: string, title: string, make: (place: HTMLElement) => { abandon(): void; leave(): void }): Page {
  return {
    name,
    title,
    show(place) {
      const page = make(place);
      const onHide = (): void => page.abandon();
      window.addEventListener("pagehide", onHide);
      return () => {
        window.removeEventListener("pagehide", onHide);
        page.leave();
      };
    },
  };
}
