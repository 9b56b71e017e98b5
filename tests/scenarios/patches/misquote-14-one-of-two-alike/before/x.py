def drain(queue):
    open_all(queue)
    queue.pop()
    queue.pop()
    close_all(queue)
    return queue
