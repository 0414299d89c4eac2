// A small interface with a protocol: open, send any number of times, close.
struct connection {
    int peer, sent;
};

static struct connection pool[2];

static struct connection *connection_open(int peer)
{
    struct connection *c = &pool[peer % 2];
    c->peer = peer;
    return c;
}

static void connection_send(struct connection *c, int value)
{
    c->sent += value;
}

static void connection_close(struct connection *c)
{
    c->peer = -1;
}
